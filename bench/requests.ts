import { Effect } from "effect"
import { SignJWT } from "jose"
import { randomBytes } from "node:crypto"
import {
  call,
  giveGrant,
  registerVeterans,
  type SignedIn,
  signIn,
  signInProvider,
  signInVeteran
} from "../test/support/Client.ts"
import { type Bench, open, openFloor, resources, start, syncBody, timedSync } from "./Bench.ts"
import type { FastifyServer } from "./fastify-server.ts"
import { benchmark } from "./Figure.ts"
import { get, load } from "./load.ts"

const at = { connections: 32, seconds: 1 }

/** The warm-up lasts until the code has run about a hundred thousand times, so that V8 has optimized it. */
const warmUp = { ...at, seconds: 5 }

/** The service's smallest answer, beside the same bytes from a bare server. */
export const health = benchmark({
  rounds: 7,
  figures: { rate: { name: "/health, 32 connections", unit: "/s", floor: "node:http", goal: { atLeast: 0.3 } } },
  open: Effect.fnUntraced(function*(tree) {
    const { port } = yield* open(tree)
    const bare = yield* openFloor("{\"status\":\"ok\"}")
    const requests = [get("/health")]
    yield* Effect.promise(() => load(port, { ...warmUp, requests }))
    return async () => {
      const floor = await load(bare, { ...at, requests })
      const ours = await load(port, { ...at, requests })
      return { rate: { ours: ours.perSecond, floor: floor.perSecond } }
    }
  })
})

/** A signed-in veteran's smallest read, beside a server written by hand. */
export const me = benchmark({
  rounds: 7,
  figures: {
    fastify: { name: "/me / Fastify", unit: "/s", floor: "Fastify 5, jose, one prepared query", goal: { atLeast: 1 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { caCertificate, owner, port, service, url } = yield* open(tree)
    // A veteran may read only 600 times a minute, so 400 veterans share the load.
    const veterans = yield* Effect.promise(async () => {
      const all = []
      for (const veteran of await registerVeterans(owner, 400)) all.push(await signIn(service, veteran))
      return all
    })
    const secret = randomBytes(32).toString("hex")
    const argument: FastifyServer = { url: url("runtime"), caCertificate, secret }
    const byHand = yield* start("fastify-server.ts", JSON.stringify(argument))
    const requests = veterans.map(({ headers }) => get("/api/veteran/me", headers))
    yield* Effect.promise(() => load(port, { ...warmUp, requests }))
    const signed = yield* Effect.promise(() => Promise.all(veterans.map(({ id }) => sign(id, secret))))
    return async () => {
      const ours = await load(port, { ...at, requests })
      const floor = await load(byHand, { ...at, requests: signed })
      return { fastify: { ours: ours.perSecond, floor: floor.perSecond } }
    }
  })
})

const sign = async (id: string, secret: string) => {
  const token = await new SignJWT().setSubject(id).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(secret))
  return get("/api/veteran/me", { authorization: `Bearer ${token}` })
}

const plainBytes = "its plain bytes by node:http"

/** A provider's view of a record of 3,000 resources, once as browsers request it and once without compression. */
export const view = benchmark({
  rounds: 7,
  figures: {
    zstd: { name: "view of 3,000, zstd taken", unit: "/s", floor: plainBytes, goal: { atLeast: 0.15 } },
    plain: { name: "view of 3,000, without compression", unit: "/s", floor: plainBytes, goal: { atLeast: 0.15 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { port, service } = yield* open(tree)
    const { path, providers } = yield* Effect.promise(() => openRecord(service, 16))
    const { text } = yield* Effect.promise(() => call(service, "GET", path, providers[0]!))
    const bare = yield* openFloor(text)
    const as = (accepted: Record<string, string>) =>
      providers.map(({ headers }) => get(path, { ...headers, ...accepted }))
    const [plainly, compressed] = [as({}), as({ "accept-encoding": "gzip, deflate, br, zstd" })]
    const at = { connections: 4, seconds: 1.5 }
    return async () => {
      const floor = await load(bare, { ...at, requests: plainly })
      const plain = await load(port, { ...at, requests: plainly })
      const zstd = await load(port, { ...at, requests: compressed })
      const detail = `${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`
      return {
        plain: { ours: plain.perSecond, floor: floor.perSecond, detail },
        zstd: { ours: zstd.perSecond, floor: floor.perSecond }
      }
    }
  })
})

/**
 * Makes a veteran with a record of 3,000 resources, and `count` providers to read it. One provider may read only 600
 * times a minute, so a load needs several.
 */
export const openRecord = async (service: Bench["service"], count: number) => {
  const veteran = await signInVeteran(service)
  await timedSync(service, veteran, syncBody(resources(3000)))
  const providers: Array<SignedIn> = []
  for (let n = 0; n < count; n++) {
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    providers.push(provider)
  }
  return { veteran, providers, path: `/api/provider/patients/${veteran.id}/record` }
}
