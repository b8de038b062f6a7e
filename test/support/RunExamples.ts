import { type Answer, call } from "./Client.ts"
import { type Example, type Names, parseShown } from "./Examples.ts"
import type { Service } from "./Service.ts"

/** Sends an example's request with a value for each name. */
export const sendExample = async (
  service: Pick<Service, "url">,
  names: Names,
  { body, headers, method, target }: Example
): Promise<Answer> => {
  const sent: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) sent[name] = await names.fill(value)
  // The lines of a form end with CR LF (RFC 2046), which a page cannot show.
  const isForm = headers["content-type"]?.startsWith("multipart/") === true
  return call(service, method, await names.fill(target), {
    headers: sent,
    ...(body === "" ? {} : { body: await names.fill(isForm ? body.replaceAll("\n", "\r\n") : body) })
  })
}

/** Lists where the answer differs from the page. */
export const differencesOf = (names: Names, { answer: { body, headers } }: Example, answer: Answer) => {
  const isJson = /^[[{]/.test(body)
  return [
    ...names.differences(
      { ...(isJson ? { "content-type": "application/json" } : {}), ...headers, "…": "…" },
      Object.fromEntries(answer.headers),
      "headers"
    ),
    ...names.differences(isJson ? parseShown(body) : body, isJson ? answer.json : answer.text)
  ]
}

/** Returns each operation that the examples show, in the form `GET /api/veteran/{}/…`. */
export const operationsOf = (examples: ReadonlyArray<Example>) =>
  examples.map(({ method, target }) => `${method} ${target.replace(/\?.*/, "").replaceAll(/\{\w+\}/g, "{}")}`)

/** Returns whether docs/app-author.md shows the operation and docs/client-author.md does not. */
export const isForApps = (operation: string) =>
  /\/(oauth|oauth-clients|fhir|\.well-known)(\/|$)/.test(operation) && !operation.includes(" /api/veteran/")
