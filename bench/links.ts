import { Effect } from "effect"
import { createLink, step, view } from "../test/http/link/Links.ts"
import { sign } from "../test/http/release/Releases.ts"
import { call, providerPassword, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { openMailbox } from "../test/support/Mailbox.ts"
import { closed, expecting, open } from "./Bench.ts"
import { alone, benchmark, percentile } from "./Figure.ts"

const perRound = 48

const atOnce = 4

/**
 * How many recipients per second complete all steps: open, code by SMTP, verify, view. Provider logins are measured for
 * comparison. The mailbox waits 100 ms before it greets a connection, as smtp-server does to detect clients that talk
 * early.
 */
export const links = benchmark({
  rounds: 5,
  figures: {
    flows: { name: "recipient's flows", unit: "/s", floor: "provider logins", goal: { atLeast: 80 } },
    p99: { name: "recipient's flows, p99", unit: "ms", floor: "provider logins" }
  },
  open: Effect.fnUntraced(function*(tree) {
    const mailbox = yield* closed(openMailbox())
    const { owner, service } = yield* open(tree, { SMTP_URL: mailbox.url })
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    const { email } = yield* Effect.promise(() => signInProvider(service))
    const documentId = (yield* Effect.promise(() => sign(service, veteran))).json.document.id
    const flow = async (n: number, token: string) => {
      expecting(200, await step(service, "open", { token }))
      const { challengeId } = expecting(202, await step(service, "otp", { token })).json
      const mail = mailbox.mails.findLast(({ recipients }) => recipients[0] === recipientOf(n))!
      const code = /\d{4} \d{4}/.exec(mail.text)![0]
      const { viewSession } = expecting(200, await step(service, "otp/verify", { token, challengeId, code })).json
      const { status } = await view(service, viewSession)
      expecting(200, { status })
    }
    const login = async () =>
      expecting(
        200,
        await call(service, "POST", "/api/provider/login", { body: { email, password: providerPassword } })
      )
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const tokens: Array<string> = []
      for (let n = 0; n < perRound; n++) {
        tokens.push((await createLink(service, veteran, { documentId, recipientEmail: recipientOf(n) })).token)
      }
      const flows = await measured(perRound, (n) => flow(n, tokens[n]!))
      // One e-mail address may try 20 logins in 15 minutes, so a round has only eight.
      const logins = await measured(8, login)
      return { flows: alone(flows.rate, logins.rate), p99: alone(flows.p99, logins.p99) }
    }
  })
})

const recipientOf = (n: number) => `recipient-${n}@clinic.example`

const measured = async (count: number, work: (n: number) => Promise<unknown>) => {
  const started = performance.now()
  const times: Array<number> = []
  let next = 0
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (next < count) {
      const begun = performance.now()
      await work(next++)
      times.push(performance.now() - begun)
    }
  }))
  return { rate: count / ((performance.now() - started) / 1000), p99: percentile(times, 0.99) }
}
