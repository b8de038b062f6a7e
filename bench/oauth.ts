import { Effect } from "effect"
import { type Client, codeForm, giveCode, post, registerClient, shown } from "../test/http/oauth/Grants.ts"
import { type Answer, signInVeteran } from "../test/support/Client.ts"
import { open, openFloor } from "./Bench.ts"
import { benchmark } from "./Figure.ts"

/** The number of requests in a round, and how many are sent at a time. Each client stays within its rate limit. */
const [requests, width] = [400, 16]

type Send = (at: { readonly url: string }, n: number) => Promise<Answer>

const perSecond = async (at: { readonly url: string }, send: Send) => {
  const started = performance.now()
  let sent = 0
  await Promise.all(Array.from({ length: width }, async () => {
    while (sent < requests) {
      const { status, text } = await send(at, sent++)
      if (status !== 200) throw new Error(text)
    }
  }))
  return requests / ((performance.now() - started) / 1000)
}

/**
 * Measures how many codes are exchanged for tokens per second, and how many tokens are introspected. Both are compared
 * with a bare server. The service spends each code in one durable transaction.
 */
export const oauth = benchmark({
  rounds: 5,
  figures: {
    codes: { name: "a code for tokens, 16 at once", unit: "/s", floor: "node:http", goal: { atLeast: 0.05 } },
    introspection: { name: "introspection, 16 at once", unit: "/s", floor: "node:http", goal: { atLeast: 0.15 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const [clients, veterans] = yield* Effect.promise(() =>
      Promise.all([
        Promise.all(Array.from({ length: 20 }, () => registerClient(service, { confidential: true }))),
        Promise.all(Array.from({ length: 20 }, () => signInVeteran(service)))
      ])
    )
    const clientAt = (n: number): Client => clients[n % clients.length]!
    const codes = async () => {
      const forms = []
      for (let n = 0; n < requests; n++) {
        // The number of a veteran's active grants is limited, so earlier ones expire here.
        await owner.query("update consent_grants set expires_at = now() where expires_at > now() + interval '1 day'")
        forms.push(codeForm(clientAt(n), await giveCode(owner, clientAt(n), veterans[n % 20]!, { codeSeconds: 600 })))
      }
      return forms
    }
    const tokens = yield* Effect.promise(async () => {
      const given = await giveCode(owner, clientAt(0), veterans[0]!)
      return await post(service, "/api/oauth/token", codeForm(clientAt(0), given))
    })
    const token: string = tokens.json.access_token
    const bare = yield* openFloor(tokens.text)
    const floor = { url: `http://127.0.0.1:${bare.port}` }
    return async () => {
      const forms = await codes()
      await owner.query("delete from rate_limit_spendings")
      const spend: Send = (at, n) => post(at, "/api/oauth/token", forms[n]!)
      const ask: Send = (at, n) => post(at, "/api/oauth/introspect", { token, ...shown(clientAt(n)) })
      return {
        codes: { ours: await perSecond(service, spend), floor: await perSecond(floor, spend) },
        introspection: { ours: await perSecond(service, ask), floor: await perSecond(floor, ask) }
      }
    }
  })
})
