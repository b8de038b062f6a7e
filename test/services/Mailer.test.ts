import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { assert, describe } from "vitest"
import { freePort } from "../../src/layers/EmbeddedPostgres.ts"
import { html } from "../../src/services/Html.ts"
import { Mailer } from "../../src/services/Mailer.ts"
import { Settings } from "../../src/services/Settings.ts"
import { openMailbox, openSilentServer } from "../support/Mailbox.ts"

const mail = {
  to: "chief@clinic.example",
  subject: "A subject",
  text: "Plain text, with ünïcode and a long line ".repeat(5),
  html: html`<!doctype html><p>${"<script>&'\""}</p>`
}

const send = (url: string, changes: Partial<typeof mail> = {}) =>
  Mailer.use((mailer) => mailer.send({ ...mail, ...changes })).pipe(
    Effect.provide(Mailer.layer.pipe(
      Layer.provide(Settings.layer),
      Layer.provide(
        ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_ENV: "test", SMTP_URL: url, MAIL_FROM: "a@b.example" }))
      )
    ))
  )

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
      assert.strictEqual(received!.headers.get("from"), "a@b.example")
      assert.strictEqual(received!.headers.get("subject"), "A subject")
      assert.strictEqual(received!.text.trimEnd(), mail.text.trimEnd())
      assert.include(received!.html, "<p>&lt;script&gt;&amp;&#39;&quot;</p>")
    }))

  it.effect("lets no line break in a subject or an address begin a header or name another recipient", () =>
    Effect.gen(function*() {
      const mailbox = yield* scoped(openMailbox)
      yield* send(mailbox.url, { subject: "Hello\r\nBcc: victim@example.org\r\n\r\nbody" })
      for (const between of ["\r\nBcc: ", ", ", "; ", "> <"]) {
        yield* Effect.ignore(send(mailbox.url, { to: `chief@clinic.example${between}victim@example.org` }))
      }
      for (const { headers, recipients } of mailbox.mails) {
        assert.isFalse(headers.has("bcc"))
        assert.notInclude(recipients, "victim@example.org")
      }
    }))

  it.effect("fails in one sentence without the recipient where the server refuses the mail", () =>
    Effect.gen(function*() {
      const mailbox = yield* scoped(() => openMailbox({ refuse: true }))
      const error = yield* Effect.flip(send(mailbox.url))
      assert.strictEqual(error._tag, "MailNotSent")
      assert.notInclude(error.message, "chief")
    }))

  it.effect("fails where the server is down or never speaks", () =>
    Effect.gen(function*() {
      const port = yield* Effect.promise(freePort)
      assert.strictEqual((yield* Effect.flip(send(`smtp://127.0.0.1:${port}`)))._tag, "MailNotSent")
      const silent = yield* scoped(openSilentServer)
      assert.strictEqual((yield* Effect.flip(send(silent.url)))._tag, "MailNotSent")
    }))
})
