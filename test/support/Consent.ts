import { assert } from "vitest"
import { randomAddress } from "./Client.ts"
import type { Mailbox } from "./Mailbox.ts"
import { until } from "./Until.ts"

/** A veteran's choices on the pages that ask for consent. Boxes stay as they are, except those in `untick`. */
interface Choice {
  readonly decision?: "approve" | "deny"
  readonly untick?: ReadonlyArray<string>
  readonly categories?: ReadonlyArray<string>
  readonly days?: number
}

/** Finds the form whose action ends in `step`, and returns the fields that a browser would send. */
const formOf = (page: string, step: string) => {
  const [, form] = new RegExp(`<form[^>]*action="[^"]*/${step}"[^>]*>(.*?)</form>`, "s").exec(page) ?? []
  assert.isDefined(form, `no form '${step}' in ${page}`)
  return [...form!.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]): Array<[string, string]> => {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
    const [name, type, value] = [attribute("name"), attribute("type"), attribute("value") ?? ""]
    const unchosen = (type === "checkbox" || type === "radio") && !/\bchecked\b/.test(tag)
    return name === undefined || unchosen ? [] : [[name, value]]
  })
}

/**
 * Follows an app's authorization request as the veteran's browser does, without scripts: the e-mail address, the code
 * from the mailbox, the decision. Returns the address to which the browser is redirected.
 */
export const consent = async (
  authorize: string | URL,
  mailbox: Pick<Mailbox, "mails">,
  email: string,
  { categories = [], days, decision = "approve", untick = [] }: Choice = {}
) => {
  const address = { "x-forwarded-for": randomAddress() }
  const first = await fetch(authorize, { redirect: "manual", headers: address })
  const page = await first.text()
  assert.strictEqual(first.status, 200, page)
  const { origin } = new URL(authorize)
  const cookie = first.headers.getSetCookie().map((one) => one.split(";", 1)[0]).join("; ")
  const post = (step: string, fields: ReadonlyArray<[string, string]>) =>
    fetch(new URL(`/api/oauth/authorize/${step}`, origin), {
      method: "POST",
      redirect: "manual",
      headers: { ...address, cookie, origin, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
    })
  const pageAfter = async (answer: Response) => {
    assert.strictEqual(answer.status, 303, await answer.text())
    return (await fetch(new URL(answer.headers.get("location")!, origin), { headers: { ...address, cookie } })).text()
  }
  const fill = (fields: Array<[string, string]>, name: string, value: string): Array<[string, string]> => [
    ...fields.filter(([field]) => field !== name),
    [name, value]
  ]
  const asked = mailbox.mails.length
  const codePage = await pageAfter(await post("email", fill(formOf(page, "email"), "email", email)))
  const code = await until(
    "a code was mailed",
    async () =>
      mailbox.mails.slice(asked).filter(({ recipients }) => recipients.includes(email))
        .flatMap(({ text }) => /\b(\d{4}) (\d{4})\b/.exec(text)?.slice(1).join("") ?? [])[0]
  )
  const consentPage = await pageAfter(await post("code", fill(formOf(codePage, "code"), "code", code)))
  const ticked = formOf(consentPage, "decision").filter(([name, value]) => name !== "type" || !untick.includes(value))
  const decided = await post("decision", [
    ...(days === undefined ? ticked : fill(ticked, "days", `${days}`)).filter(([name]) => name !== "decision"),
    ...categories.map((category): [string, string] => ["category", category]),
    ["decision", decision]
  ])
  assert.strictEqual(decided.status, 303, await decided.text())
  return new URL(decided.headers.get("location")!)
}
