import { Effect } from "effect"
import { createLink, step, view } from "../test/http/link/Links.ts"
import { sign } from "../test/http/release/Releases.ts"
import { call, providerPassword, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { openMailbox } from "../test/support/Mailbox.ts"
import { closed, expecting, open, timed } from "./Bench.ts"
import { alone, benchmark } from "./Figure.ts"

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
    flows: { name: "recipient's flows", unit: "/s", floor: "provider logins", goal: { atLeast: 80 } }
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
      const flows = await rateOf(perRound, (n) => flow(n, tokens[n]!))
      // One e-mail address may try 20 logins in 15 minutes, so a round has only eight.
      return { flows: alone(flows, await rateOf(8, login)) }
    }
  })
})

/** A veteran may name 20 new addresses in a day. Flows at once have different ones. */
const recipientOf = (n: number) => `recipient-${n % 16}@clinic.example`

/** How many times a second `work` is done. */
const rateOf = async (count: number, work: (n: number) => Promise<unknown>) => {
  let next = 0
  const time = await timed(() =>
    Promise.all(Array.from({ length: atOnce }, async () => {
      while (next < count) await work(next++)
    }))
  )
  return count / (time / 1000)
}
