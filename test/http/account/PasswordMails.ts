import { randomUUID } from "node:crypto"
import { afterAll } from "vitest"
import { asAdmin, bearer, call, providerPassword } from "../../support/Client.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { openTwoProcesses } from "../link/TwoProcesses.ts"

type Url = Pick<Service, "url">

export const portal = "https://portal.example"

/** Opens two processes that mail to one mailbox. */
export const openPasswords = async () => {
  const mailbox = await openMailbox()
  afterAll(mailbox.close)
  const processes = await openTwoProcesses({
    SMTP_URL: mailbox.url,
    PROVIDER_PORTAL_URL: portal,
    PROVIDER_PORTAL_ORIGINS: portal
  })
  const { superuser } = processes

  const mailsTo = (email: string, subject?: string) =>
    mailbox.mails.filter(({ headers, recipients }) =>
      recipients.includes(email) && (subject === undefined || headers.get("subject") === subject)
    )

  /** Waits until every message of the outbox was sent, or found to be nobody's. */
  const allSent = () =>
    until("the outbox is empty", async () => (await superuser.query("select from outbox")).rowCount === 0)

  /** The tokens that were mailed to an address, the newest last. */
  const tokensTo = async (email: string) => {
    await allSent()
    return mailsTo(email).flatMap(({ text }) =>
      [...text.matchAll(/\/password#([\w-]{43})\n/g)].map(([, token]) => token!)
    )
  }

  /** Asks for a link, and returns the token that was mailed. */
  const mailedToken = async (email: string) => {
    await forgot(processes.one, email)
    return (await tokensTo(email)).at(-1)!
  }

  return { ...processes, mailbox, mailsTo, allSent, tokensTo, mailedToken }
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
