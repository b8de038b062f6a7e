import { Effect } from "effect"
import { type Client, codeForm, giveCode, post, registerClient, shown } from "../test/http/oauth/Grants.ts"
import { type Answer, signInVeteran } from "../test/support/Client.ts"
import { type Bench, line, median, openFloor } from "./Bench.ts"

const rounds = 5

/** In each round so many are sent, by so many at a time: no client asks more often than it may. */
const [requests, width] = [400, 16]

type Send = (url: string, n: number) => Promise<Answer>

const perSecond = async (url: string, send: Send) => {
  const started = performance.now()
  let sent = 0
  await Promise.all(Array.from({ length: width }, async () => {
    while (sent < requests) {
      const { status, text } = await send(url, sent++)
      if (status !== 200) throw new Error(text)
    }
  }))
  return requests / ((performance.now() - started) / 1000)
}

/** Codes and access tokens against the same bytes from a bare server: each code is spent in one transaction on the disk. */
export const benchOAuth = Effect.fnUntraced(function*({ owner, service }: Bench) {
  const { clients, veterans } = yield* Effect.promise(async () => ({
    clients: await Promise.all(Array.from({ length: 20 }, () => registerClient(service, { confidential: true }))),
    veterans: await Promise.all(Array.from({ length: 20 }, () => signInVeteran(service)))
  }))
  const clientAt = (n: number): Client => clients[n % clients.length]!
  const codes = async () => {
    const forms = []
    for (let n = 0; n < requests; n++) {
      // A veteran keeps so many grants at most.
      await owner.query("update consent_grants set expires_at = now() where expires_at > now() + interval '1 day'")
      forms.push(codeForm(clientAt(n), await giveCode(owner, clientAt(n), veterans[n % 20]!, { codeSeconds: 600 })))
    }
    return forms
  }
  const measure = Effect.fnUntraced(function*(name: string, aim: string, prepare: () => Promise<Send>) {
    const first = yield* Effect.promise(async () => (await (await prepare())(service.url, 0)).text)
    const floor = `http://127.0.0.1:${yield* openFloor(Buffer.from(first))}`
    const figures: Array<{ readonly ours: number; readonly floor: number }> = []
    for (let round = 0; round < rounds + 1; round++) {
      const send = yield* Effect.promise(prepare)
      yield* Effect.promise(() => owner.query("delete from rate_limit_spendings"))
      const ours = yield* Effect.promise(() => perSecond(service.url, send))
      const least = yield* Effect.promise(() => perSecond(floor, send))
      if (round > 0) figures.push({ ours, floor: least })
    }
    const [ours, least] = [median(figures.map(({ ours }) => ours)), median(figures.map(({ floor }) => floor))]
    line(
      name,
      median(figures.map(({ floor, ours }) => ours / floor)),
      aim,
      `${ours.toFixed(0)}/s, floor ${least.toFixed(0)}/s`
    )
  })

  yield* measure("a code for tokens, 16 at once / bare node:http", ">= 0.05", async () => {
    const forms = await codes()
    return (url, n) => post({ url }, "/api/oauth/token", forms[n]!)
  })
  const [token] = yield* Effect.promise(async () => {
    const given = await giveCode(owner, clientAt(0), veterans[0]!)
    return [(await post(service, "/api/oauth/token", codeForm(clientAt(0), given))).json.access_token as string]
  })
  yield* measure(
    "introspection, 16 at once / bare node:http",
    ">= 0.15",
    async () => (url, n) => post({ url }, "/api/oauth/introspect", { token: token!, ...shown(clientAt(n)) })
  )
})
