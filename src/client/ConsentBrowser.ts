/** The consent page refused the input. The error's message is the heading of that page. */
export class PageRefused extends Error {}

/**
 * Plays the veteran's browser on the consent pages: it types the e-mail address and the mailed code, keeps every ticked
 * box, and approves. Returns the address that it is redirected to, or undefined if no code came.
 */
export const approveInBrowser = async (
  url: URL,
  { code, email }: { readonly email: string; readonly code: () => Promise<string | undefined> }
): Promise<URL | undefined> => {
  const first = await fetch(url, { redirect: "manual" })
  const cookie = first.headers.getSetCookie().map((set) => set.split(";", 1)[0]!).join("; ")
  let text = await pageOf(first)

  const submit = async (step: string, fields: ReadonlyArray<readonly [string, string]>) => {
    const request = /name="request" value="([^"]*)"/.exec(text)?.[1] ?? ""
    const answer = await fetch(new URL(`/api/oauth/authorize/${step}`, url), {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: "null" },
      body: new URLSearchParams([["request", request], ...fields.map(([name, value]) => [name, value])])
    })
    const next = new URL(answer.headers.get("location") ?? "", url)
    if (answer.status === 303 && next.pathname !== "/api/oauth/authorize/page") return next
    const cookies = [cookie, ...answer.headers.getSetCookie().map((set) => set.split(";", 1)[0]!)].join("; ")
    text = await pageOf(answer.status === 303 ? await fetch(next, { headers: { cookie: cookies } }) : answer)
    return undefined
  }

  await submit("email", [["email", email]])
  const mailed = await code()
  if (mailed === undefined) return undefined
  await submit("code", [["code", mailed]])
  const types = Array.from(
    text.matchAll(/name="type" value="([^"]*)" checked/g),
    ([, type]) => ["type", type!] as const
  )
  const back = await submit("decision", [["decision", "approve"], ...types])
  if (back === undefined) throw new PageRefused(headingOf(text))
  return back
}

const pageOf = async (answer: Response) => {
  const text = await answer.text()
  if (!answer.ok) throw new PageRefused(headingOf(text))
  return text
}

const headingOf = (page: string) => /<h1[^<>]*>([^<]*)/.exec(page)?.[1] ?? "there is no page"
