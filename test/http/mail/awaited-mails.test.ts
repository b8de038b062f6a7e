import { assert, describe, test } from "vitest"
import { call, registerProvider, signInVeteran } from "../../support/Client.ts"
import type { ReceivedMail } from "../../support/Mailbox.ts"
import { until } from "../../support/Until.ts"
import { createLink, step } from "../link/Links.ts"
import { openSender } from "./Outbox.ts"

/** Mails whose text or address this finds get no answer of the server, until the gate opens. */
let unanswered = /nothing/

let gate = Promise.withResolvers<void>()

const { allSent, documentId, forgetMails, mailbox, mails, service, superuser, veteran } = await openSender({
  deliver: (raw) => unanswered.test(raw.toString()) ? gate.promise : Promise.resolve()
})

const mailsTo = (address: string) => mails().filter(({ recipients }) => recipients.includes(address))

const subjectsOf = (some: ReadonlyArray<ReceivedMail>) => some.map(({ headers }) => headers.get("subject"))

/** Leaves mails unanswered while `act` runs. */
const whileUnanswered = async (some: RegExp, act: () => Promise<void>) => {
  unanswered = some
  gate = Promise.withResolvers()
  try {
    await act()
  } finally {
    unanswered = /nothing/
    gate.resolve()
  }
}

/** Makes veterans who have no mails yet. */
const newVeterans = async (count: number) =>
  (await superuser.query(
    `insert into veterans (id, va_patient_id, call_sign, email)
     select id, id, 'Eagle', id || '@many.example' from (select gen_random_uuid() as id from generate_series(1, $1)) s
     returning id`,
    [count]
  )).rows.map(({ id }) => id as string)

/** Something happened to each of these veterans, as often as this. */
const happen = (kind: string, veterans: ReadonlyArray<string>, times: number) =>
  superuser.query(
    "insert into outbox (kind, subject_id, veteran_id) select $1, v, v from unnest($2::uuid[]) v, generate_series(1, $3)",
    [kind, veterans, times]
  )

describe("A code does not wait", () => {
  test("for 300 mails about security and 10 invitations, none of which the mail server answers", async () => {
    const { email } = await registerProvider(service)
    const link = await createLink(service, veteran, { documentId })
    await allSent()
    forgetMails()
    await whileUnanswered(/A passkey was|A document was shared/, async () => {
      await happen("passkey_added", await newVeterans(15), 20)
      const invitations = Array.from(
        { length: 10 },
        () =>
          createLink(service, veteran, { documentId, recipientEmail: "flood@clinic.example", notifyRecipient: true })
      )
      await until("the server holds mails", async () => mailbox.connections().open >= 3)
      assert.strictEqual((await step(service, "otp", { token: link.token })).status, 202)
      assert.strictEqual(
        (await call(service, "POST", "/api/provider/password/forgot", { body: { email } })).status,
        202
      )
      await until("the link is mailed", async () => mails().length === 2)
      assert.deepStrictEqual(subjectsOf(mails()), ["Your one-time code", "Choose a new password"])
      gate.resolve()
      await Promise.all(invitations)
    })
    await superuser.query("truncate outbox")
  })

  test("for the codes of another veteran's links, none of which the mail server answers", async () => {
    const other = await signInVeteran(service)
    const link = await createLink(service, other, { recipientEmail: "bystander@clinic.example" })
    const tokens: Array<string> = []
    for (let n = 0; n < 20; n++) {
      const recipientEmail = `flood-${n % 2}@clinic.example`
      tokens.push((await createLink(service, veteran, { documentId, recipientEmail })).token)
    }
    await whileUnanswered(/flood-/, async () => {
      const flood = tokens.map((token) => step(service, "otp", { token }))
      await until("the server holds codes", async () => mailbox.connections().open >= 2)
      assert.strictEqual((await step(service, "otp", { token: link.token })).status, 202)
      assert.deepStrictEqual(subjectsOf(mailsTo("bystander@clinic.example")), ["Your one-time code"])
      assert.lengthOf(mails().filter(({ recipients }) => recipients[0]!.startsWith("flood-")), 0)
      gate.resolve()
      for (const { status } of await Promise.all(flood)) assert.strictEqual(status, 202)
    })
  })
})
