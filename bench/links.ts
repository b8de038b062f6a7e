import { Effect } from "effect"
import { createLink, step, view } from "../test/http/link/Links.ts"
import { sign } from "../test/http/release/Releases.ts"
import { call, providerPassword, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { openMailbox } from "../test/support/Mailbox.ts"
import { line, median, open } from "./Bench.ts"

const rounds = 5

const perRound = 48

const atOnce = 4

/** Complete flows of a recipient (open, code by SMTP, verify, view) per second and their p99, beside provider logins. */
export const benchLinks = Effect.gen(function*() {
  const mailbox = yield* Effect.acquireRelease(
    Effect.promise(() => openMailbox()),
    (mailbox) => Effect.promise(() => mailbox.close())
  )
  const { service } = yield* open({ SMTP_URL: mailbox.url })
  yield* Effect.promise(async () => {
    const veteran = await signInVeteran(service)
    const { email } = await signInProvider(service)
    const documentId = (await sign(service, veteran)).json.document.id
    const flow = async (n: number, token: string) => {
      await expecting(200, step(service, "open", { token }))
      const { challengeId } = (await expecting(202, step(service, "otp", { token }))).json
      const mail = mailbox.mails.findLast(({ recipients }) => recipients[0] === recipientOf(n))!
      const code = /\d{4} \d{4}/.exec(mail.text)![0]
      const { viewSession } = (await expecting(200, step(service, "otp/verify", { token, challengeId, code }))).json
      await expecting(200, view(service, viewSession))
    }
    const login = () =>
      expecting(200, call(service, "POST", "/api/provider/login", { body: { email, password: providerPassword } }))
    const figures = { flow: [] as Array<Figures>, login: [] as Array<Figures> }
    for (let round = 0; round < rounds + 1; round++) {
      const links: Array<string> = []
      for (let n = 0; n < perRound; n++) {
        links.push((await createLink(service, veteran, { documentId, recipientEmail: recipientOf(n) })).token)
      }
      const flows = await measured(perRound, (n) => flow(n, links[n]!))
      // 20 tries in 15 minutes for each e-mail.
      const logins = await measured(3, login)
      if (round > 0) {
        figures.flow.push(flows)
        figures.login.push(logins)
      }
    }
    const told = (name: keyof typeof figures) =>
      `${median(figures[name].map(({ rate }) => rate)).toFixed(0)}/s, p99 ${
        median(figures[name].map(({ p99 }) => p99)).toFixed(0)
      } ms`
    const ratio = median(figures.flow.map(({ rate }, n) => rate / figures.login[n]!.rate))
    line("recipient's flows / provider logins", ratio, "none set", `flows ${told("flow")}; logins ${told("login")}`)
  })
})

interface Figures {
  readonly rate: number
  readonly p99: number
}

const recipientOf = (n: number) => `recipient-${n}@clinic.example`

const measured = async (count: number, work: (n: number) => Promise<unknown>): Promise<Figures> => {
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
  const rate = count / ((performance.now() - started) / 1000)
  return { rate, p99: times.toSorted((a, b) => a - b)[Math.ceil(0.99 * times.length) - 1]! }
}

const expecting = async <A extends { readonly status: number }>(status: number, answer: Promise<A>): Promise<A> => {
  const given = await answer
  if (given.status !== status) throw new Error(`expected ${status}, was answered ${given.status}`)
  return given
}
