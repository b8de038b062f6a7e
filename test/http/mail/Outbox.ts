import { randomUUID } from "node:crypto"
import { assert, beforeEach } from "vitest"
import { generateKey } from "../../../src/services/ledger/SignedNote.ts"
import { atEnd, openDatabase } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { type Mailbox, openMailbox } from "../../support/Mailbox.ts"
import { type Service, startService } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { signed } from "../release/Releases.ts"

export const about = ({ mails }: Pick<Mailbox, "mails">, words: string) =>
  mails.filter(({ text }) => text.includes(words))

export const warnings = (service: Service, words: string) =>
  service.output().split("\n").filter((line) => line.includes(words) && line.includes("\"level\":\"warn\"")).length

/** Opens a database for the file. Each test begins with an empty outbox. */
export const openOutbox = async () => {
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  beforeEach(() => superuser.query("truncate outbox"))

  // With different keys, the services of the tests would sign the tree anew, and warn of it.
  const key = generateKey("records.example.org/disclosures")!

  const serve = async (smtpUrl: string, environment: Record<string, string> = {}): Promise<Service> => {
    const service = await startService(database, {
      SMTP_URL: smtpUrl,
      ADMIN_EMAIL: "chief@clinic.example",
      PROOF_SIGNING_KEY: key,
      ...environment
    })
    atEnd(() => service.stop("SIGKILL"))
    return service
  }

  const signUp = async (service: Service) => {
    const email = `${randomUUID()}@example.org`
    const answer = await call(service, "POST", "/api/waitlist", { body: { email } })
    assert.strictEqual(answer.status, 202)
    return email
  }

  const waiting = async () => (await superuser.query("select * from outbox order by created_at")).rows

  /** Makes every mail due now, and sets its number of attempts. Returns the database's current time. */
  const hurry = async (attempts = "attempts"): Promise<Date> =>
    (await superuser.query(`with u as (update outbox set due_at = now(), attempts = ${attempts}) select now()`)).rows[0]
      .now

  const allSent = () => until("the outbox is empty", async () => (await waiting()).length === 0)

  /** Waits until a mail has failed this often, last after `since`, and is due again after the right pause. */
  const paused = (attempts: number, since = new Date(0)) =>
    until(`the pause after ${attempts} attempts`, async () => {
      const pause = `least(interval '15 seconds' * 2 ^ ${attempts - 1}, interval '1 hour')`
      const query = `select from outbox where attempts = $1 and due_at - ${pause} between $2 and clock_timestamp()`
      return (await superuser.query(query, [attempts, since])).rowCount === 1
    })

  return { superuser, serve, signUp, waiting, hurry, allSent, paused }
}

/** Opens an outbox, a service that sends its mails to a mailbox, and a veteran with a signed release. */
export const openSender = async (...options: Parameters<typeof openMailbox>) => {
  const outbox = await openOutbox()
  const mailbox = await openMailbox(...options)
  atEnd(mailbox.close)
  const service = await outbox.serve(mailbox.url)
  const veteran = await signInVeteran(service)
  const documentId: string = (await signed(service, veteran)).document.id
  let earlier = 0

  /** Makes `mails` forget those so far. Each test begins with this. */
  const forgetMails = () => {
    earlier = mailbox.mails.length
  }
  beforeEach(forgetMails)

  /** The mails of the running test. */
  const mails = () => mailbox.mails.slice(earlier)

  return { ...outbox, mailbox, service, veteran, documentId, mails, forgetMails }
}
