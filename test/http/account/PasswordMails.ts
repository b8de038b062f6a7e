import { randomUUID } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { openApp, openService } from "../../support/App.ts"
import { asAdmin, bearer, call, providerPassword } from "../../support/Client.ts"
import { parseMail } from "../../support/Mailbox.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"

type Url = Pick<Service, "url">

/** Opens two processes, each of which writes its mails into a folder. */
export const openPasswords = async () => {
  const { database, service: one } = await openApp()
  const other = await openService(database)
  const superuser = await database.connect("superuser")

  /** Waits until every message about a password was sent, or found to be nobody's. */
  const allSent = () =>
    until(
      "the outbox has no message about a password",
      async () => (await superuser.query("select from outbox where kind like 'password%'")).rowCount === 0
    )

  /** All mails of both processes, the newest last. */
  const mails = async () => {
    await allSent()
    const files = [one, other].map(({ directory }) => join(directory, ".data/mail")).flatMap((folder) =>
      globSync("*.eml", { cwd: folder }).map((name) => ({ name, path: join(folder, name) }))
    )
    return files.toSorted((a, b) => a.name < b.name ? -1 : 1).map(({ path }) => parseMail(readFileSync(path, "utf8")))
  }

  const mailsTo = async (email: string, subject?: string) =>
    (await mails()).filter(({ headers }) =>
      headers.get("to") === email && (subject === undefined || headers.get("subject") === subject)
    )

  /** The tokens that were mailed to an address, the newest last. */
  const tokensTo = async (email: string) =>
    (await mailsTo(email)).flatMap(({ text }) =>
      [...text.matchAll(/\/password#([\w-]{43})\n/g)].map(([, token]) => token!)
    )

  /** Asks for a link, and returns the token that was mailed. */
  const mailedToken = async (email: string) => {
    await forgot(one, email)
    return (await tokensTo(email)).at(-1)!
  }

  return { one, other, superuser, mails, mailsTo, allSent, tokensTo, mailedToken }
}

export const newEmail = () => `provider-${randomUUID()}@clinic.example`

export const forgot = (service: Url, email: string, headers: Record<string, string> = {}) =>
  call(service, "POST", "/api/provider/password/forgot", { headers, body: { email } })

export const setPassword = (service: Url, token: string, password: string) =>
  call(service, "POST", "/api/provider/password/set", { body: { token, password } })

export const changePassword = (
  service: Url,
  token: string,
  body: { readonly password: string; readonly newPassword: string },
  headers: Record<string, string> = {}
) => call(service, "POST", "/api/provider/password", { headers: { ...bearer(token), ...headers }, body })

export const login = (service: Url, email: string, password = providerPassword, headers: Record<string, string> = {}) =>
  call(service, "POST", "/api/provider/login", { headers, body: { email, password } })

export const me = (service: Url, token: string) => call(service, "GET", "/api/provider/me", { headers: bearer(token) })

export const register = (service: Url, changes: Record<string, unknown> = {}) =>
  call(service, "POST", "/api/admin/providers", {
    headers: asAdmin,
    body: { email: newEmail(), displayName: "Dr. Ada Gray", organization: "Gray Clinic", ...changes }
  })

export const asOperator = (service: Url, method: string, path: string, body?: unknown) =>
  call(service, method, `/api/admin${path}`, { headers: asAdmin, ...(body === undefined ? {} : { body }) })
