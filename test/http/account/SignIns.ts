import { randomUUID } from "node:crypto"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { mailsOf } from "../link/Links.ts"

/** Helpers of the tests about a veteran's sign-ins by the app. */

type Headers = Record<string, string>

export const newAddress = () => `eagle-${randomUUID()}@example.org`

/** Opens the service that knows a VA, and what a veteran can ask it and find in its mails. */
export const openSignIns = async () => {
  const app = await openVaApp()
  const superuser = await app.database.connect("superuser")

  const get = (path: string, headers: Headers) => call(app.service, "GET", `/api/veteran/me${path}`, { headers })

  const post = (path: string, headers: Headers, body?: unknown) =>
    call(app.service, "POST", `/api/veteran/me${path}`, { headers, ...(body === undefined ? {} : { body }) })

  const mailsTo = async (address: string, subject?: string) =>
    (await mailsOf(app.service)).filter(({ headers }) =>
      headers.get("to") === address && (subject === undefined || headers.get("subject") === subject)
    )

  /** Waits until this many mails have arrived. */
  const mailed = (address: string, count: number, subject?: string) =>
    until(`${count} mails to ${address}`, async () => {
      const mails = await mailsTo(address, subject)
      return mails.length >= count && mails
    })

  /** Waits until the outbox has sent, or forgotten, what there is to mail. */
  const nothingWaits = () =>
    until("the outbox is empty", async () => (await superuser.query("select from outbox")).rowCount === 0)

  /** The account of disclosures, the newest event first. */
  const eventsOf = async (headers: Headers) =>
    (await get("/disclosures", headers)).json.items.map((
      { actor, how, kind, summary }: any
    ) => [kind, actor.kind, how, summary])

  return { ...app, superuser, get, post, mailsTo, mailed, nothingWaits, eventsOf }
}
