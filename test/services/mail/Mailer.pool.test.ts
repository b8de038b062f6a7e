import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer } from "effect"
import { assert, describe } from "vitest"
import { Mailer } from "../../../src/services/mail/Mailer.ts"
import { html } from "../../../src/services/platform/Html.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import { until } from "../../support/Until.ts"

const open = (...options: Parameters<typeof openMailbox>) =>
  Effect.acquireRelease(Effect.promise(() => openMailbox(...options)), ({ close }) => Effect.promise(close))

/** A mailer that sends as long as the scope lasts. */
const mailerFor = (url: string) =>
  Layer.build(Mailer.layer.pipe(
    Layer.provide(Settings.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_ENV: "test", SMTP_URL: url }))),
    Layer.fresh
  )).pipe(
    Effect.map((services) => {
      const send = (subject: string) =>
        Effect.provide(
          Mailer.use((mailer) =>
            mailer.send({ to: "chief@clinic.example", subject, text: "text", html: html`<p>text</p>` })
          ),
          services
        )
      return {
        send,
        outcome: (subject: string) =>
          Effect.match(send(subject), {
            onFailure: ({ message }) => message,
            onSuccess: () => "sent"
          })
      }
    })
  )

const subjectsOf = ({ mails }: Effect.Success<ReturnType<typeof open>>) =>
  mails.map(({ headers }) => headers.get("subject")!).sort()

describe("Mails share connections:", () => {
  it.live("one for consecutive mails, five for any number of parallel mails, and none is left at the end", () =>
    Effect.gen(function*() {
      const mailbox = yield* open()
      const names = Array.from({ length: 30 }, (_, n) => `mail ${n + 10}`)
      yield* Effect.scoped(Effect.gen(function*() {
        const { send } = yield* mailerFor(mailbox.url)
        for (const name of names.slice(0, 10)) yield* send(name)
        assert.deepStrictEqual(mailbox.connections(), { open: 1, ever: 1 })
        const { held, release } = mailbox.hold()
        const fiber = yield* Effect.forkChild(Effect.forEach(names.slice(10), send, { concurrency: "unbounded" }))
        yield* Effect.promise(() => until("five mails are held", async () => held() === 5))
        assert.deepStrictEqual(mailbox.connections(), { open: 5, ever: 5 })
        release()
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(mailbox.connections(), { open: 5, ever: 5 })
      }))
      yield* Effect.promise(() => until("all are closed", async () => mailbox.connections().open === 0))
      assert.deepStrictEqual(subjectsOf(mailbox), names)
    }))
})

describe("If the server closes the connection, a mail", () => {
  it.live("is sent exactly once, whether the server closes when idle (421), in a restart, or after MAIL FROM", () =>
    Effect.gen(function*() {
      const sendsAfter = Effect.fnUntraced(
        function*(mailbox: Effect.Success<ReturnType<typeof open>>, close: Effect.Effect<void>) {
          const { send } = yield* mailerFor(mailbox.url)
          yield* send("first")
          yield* close
          yield* Effect.forEach(["second", "third"], send, { concurrency: 2 })
          assert.deepStrictEqual(subjectsOf(mailbox), ["first", "second", "third"])
        },
        Effect.scoped
      )
      const idle = yield* open({ idle: 400 })
      const restarting = [yield* open(), yield* open()] as const
      const dropping = yield* open({ drops: (step, before) => step === "sender" && before === 1 })
      yield* Effect.all([
        sendsAfter(idle, Effect.promise(() => until("it is closed", async () => idle.connections().open === 0))),
        // The next mail is sent before the client can notice the closed connection.
        sendsAfter(restarting[0], Effect.sync(() => restarting[0].cut())),
        sendsAfter(restarting[1], Effect.sync(() => restarting[1].cut(false))),
        sendsAfter(dropping, Effect.void)
      ], { concurrency: "unbounded" })
    }))

  it.live("is reported as not sent, and not repeated, if it was already transferred; the next one is sent", () =>
    Effect.gen(function*() {
      let dropped = 0
      const mailbox = yield* open({ drops: (step, before) => step === "mail" && before === 1 && dropped++ === 0 })
      const { outcome } = yield* mailerFor(mailbox.url)
      const outcomes = yield* Effect.forEach(["first", "second", "third"], outcome)
      assert.deepStrictEqual(outcomes, [
        "sent",
        "mail not sent: the server closed the connection (ECONNECTION)",
        "sent"
      ])
      assert.strictEqual(dropped, 1)
      assert.deepStrictEqual(subjectsOf(mailbox), ["first", "third"])
    }))
})
