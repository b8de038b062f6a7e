import { createHash } from "node:crypto"
import { type Html, html } from "../services/platform/Html.ts"

const style = [
  "html{background:Canvas;color-scheme:light dark}",
  "body{font:18px/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}",
  "li{margin:1rem 0}"
].join("")

/** No character of the style is escaped, or the hash would not fit. */
const styleTag = html`<style>${style}</style>`

const hash = createHash("sha256").update(style).digest("base64")

/** Headers of the sandbox's page: it loads nothing, and tells nobody its address. */
export const sandboxPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer"
}

interface Choice {
  readonly name: string
  readonly story: string
  readonly address: string
}

/** The page on which a newcomer chooses who they are. */
export const sandboxPage = (
  { choices, refusal, scope }: {
    readonly choices: ReadonlyArray<Choice>
    readonly refusal: string
    readonly scope: string
  }
): string => {
  const people: ReadonlyArray<Html> = choices.map(({ address, name, story }) =>
    html`<li><a href="${address}">${name}</a>: ${story}</li>`
  )
  return html`<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox VA: who are you?</title>${styleTag}
</head>
<body><main>
<h1>Sandbox VA: who are you?</h1>
<p>This is not the VA. It plays the VA's sign-in on this machine, for development.</p>
<ul>${people}</ul>
<p><a href="${refusal}">Do not connect</a></p>
<p>The app asks for: ${scope}</p>
</main></body>
</html>
`.toString()
}
