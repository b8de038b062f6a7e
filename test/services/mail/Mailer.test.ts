import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { assert, describe } from "vitest"
import { EmailAddress } from "../../../src/domain/Scalars.ts"
import { Mailer } from "../../../src/services/mail/Mailer.ts"
import { html } from "../../../src/services/platform/Html.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { openMailbox, type ReceivedMail } from "../../support/Mailbox.ts"

const mail = {
  to: "chief@clinic.example",
  subject: "A subject",
  text: "Plain text, with ünïcode and a long line ".repeat(5),
  html: html`<!doctype html><p>${"<script>&'\""}</p>`
}

const withMailer = (url: string, from = "a@b.example") =>
  Mailer.layer.pipe(
    Layer.provide(Settings.layer),
    Layer.provide(ConfigProvider.layer(
      ConfigProvider.fromUnknown({ APP_ENV: "test", SMTP_URL: url, MAIL_FROM: from })
    )),
    Layer.fresh
  )

const send = (url: string, changes: Partial<typeof mail> = {}) =>
  Mailer.use((mailer) => mailer.send({ ...mail, ...changes })).pipe(Effect.provide(withMailer(url)))

/** Returns the names of headers that `control`, an ordinary mail, does not have. */
const unusualHeaders = (mails: ReadonlyArray<ReceivedMail>, control: ReceivedMail) =>
  mails.flatMap(({ headers }) => [...headers.keys()].filter((name) => !control.headers.has(name)))

const scoped = <A extends { readonly close: () => Promise<void> }>(open: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(open), ({ close }) => Effect.promise(close))

describe("Mailer", () => {
  it.effect("sends a text and an HTML part by SMTP", () =>
    Effect.gen(function*() {
      const mailbox = yield* scoped(openMailbox)
      yield* send(mailbox.url)
      assert.strictEqual(mailbox.mails.length, 1)
      const [received] = mailbox.mails
      assert.deepStrictEqual(received!.recipients, ["chief@clinic.example"])
      assert.strictEqual(received!.headers.get("from"), "Veteran Records <a@b.example>")
      assert.strictEqual(received!.headers.get("subject"), "A subject")
      assert.strictEqual(received!.text.trimEnd(), mail.text.trimEnd())
      assert.include(received!.html, "<p>&lt;script&gt;&amp;&#39;&quot;</p>")
    }))

  it.effect("keeps the display name of MAIL_FROM, and encodes what a header cannot hold", () =>
    Effect.gen(function*() {
      const mailbox = yield* scoped(openMailbox)
      for (const from of ["Gray Clinic <a@b.example>", "\"Gray, Ada\" <a@b.example>", "Clínica <a@b.example>"]) {
        yield* Mailer.use((mailer) => mailer.send(mail)).pipe(Effect.provide(withMailer(mailbox.url, from)))
      }
      assert.deepStrictEqual(mailbox.mails.map(({ headers }) => headers.get("from")), [
        "Gray Clinic <a@b.example>",
        "\"Gray, Ada\" <a@b.example>",
        "=?UTF-8?Q?Cl=C3=ADnica?= <a@b.example>"
      ])
    }))

  const victim = "victim@example.org"
  /**
   * Each of these tries to add the victim: as a header, as a second recipient, or as the address behind a display name.
   */
  const tricks = [
    ...["\r\n", "\n", "\r", "\r\n ", "\u2028", "\u0085", "\0", "%0d%0a", "\\r\\n", "=0D=0A", "=?utf-8?q?=0D=0A?="].map((
      end
    ) => `chief@clinic.example${end}Bcc: ${victim}`),
    ...[", ", ",", "; ", ";", " ", "\t", ">, <", "> <", ">,"].map((between) =>
      `chief@clinic.example${between}${victim}`
    ),
    `chief@clinic.example <${victim}>`,
    `"chief@clinic.example" <${victim}>`,
    `=?utf-8?q?chief?= <${victim}>`,
    `(chief@clinic.example) ${victim}`,
    `${victim} (chief@clinic.example)`,
    `group: chief@clinic.example, ${victim};`,
    `"${victim}, x"@clinic.example`,
    `chief@clinic.example> RCPT TO:<${victim}`,
    `chief@clinic.example>\r\nRCPT TO:<${victim}`
  ]

  it.effect("adds no recipient for an invalid address, which no route accepts anyway", () =>
    Effect.gen(function*() {
      const mailbox = yield* scoped(openMailbox)
      yield* send(mailbox.url)
      const [control] = mailbox.mails
      for (const trick of tricks) {
        assert.isFalse(Schema.is(EmailAddress)(trick), trick)
        const before = mailbox.mails.length
        yield* Effect.ignore(send(mailbox.url, { to: trick }))
        const sent = mailbox.mails.slice(before)
        assert.isAtMost(sent.length, 1, trick)
        for (const { recipients } of sent) {
          assert.lengthOf(recipients, 1, trick)
          assert.notInclude(recipients, victim, trick)
        }
        assert.deepStrictEqual(unusualHeaders(sent, control!), [], trick)
      }
      yield* send(mailbox.url)
      assert.deepStrictEqual(mailbox.mails.at(-1)!.recipients, ["chief@clinic.example"])
    }))

  it.effect("keeps any subject within its header", () =>
    Effect.gen(function*() {
      const mailbox = yield* scoped(openMailbox)
      const subjects = [
        ...["\r\n", "\n", "\r", "\r\n\r\n", "\n\n"].map((end) => `Hello${end}Bcc: ${victim}${end}<b>body</b>`),
        `=?utf-8?q?Hello=0D=0ABcc:_${victim}?=`,
        `<${victim}>, ${victim}`,
        "x".repeat(2000),
        "é\r\nBcc: ".repeat(100) + victim
      ]
      for (const subject of [...subjects, mail.subject]) yield* send(mailbox.url, { subject })
      assert.lengthOf(mailbox.mails, subjects.length + 1)
      assert.deepStrictEqual(unusualHeaders(mailbox.mails, mailbox.mails.at(-1)!), [])
      for (const { headers, recipients, text } of mailbox.mails) {
        assert.deepStrictEqual(recipients, ["chief@clinic.example"])
        assert.strictEqual(headers.get("to"), "chief@clinic.example")
        assert.strictEqual(text.trimEnd(), mail.text.trimEnd())
      }
    }))
})
