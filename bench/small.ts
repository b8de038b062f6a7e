import { Effect } from "effect"
import { SignJWT } from "jose"
import { randomBytes } from "node:crypto"
import { call, registerVeterans, signIn } from "../test/support/Client.ts"
import { open, openFloor, start } from "./Bench.ts"
import type { FastifyServer } from "./fastify-server.ts"
import { alone, benchmark } from "./Figure.ts"
import { get, load } from "./load.ts"

const floor = "node:http"

const at = { connections: 32, seconds: 1 }

/** The warm-up lasts until the code has run about a hundred thousand times, so that V8 has optimized it. */
const warmUp = { ...at, seconds: 5 }

/** The service's smallest answer, beside the same bytes from a bare server. */
export const health = benchmark({
  rounds: 7,
  figures: {
    rate: { name: "/health, 32 connections", unit: "/s", floor, goal: { atLeast: 0.35 } },
    processor: { name: "/health, processor time of a request", unit: "µs", floor, goal: { atMost: 30 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { port, service } = yield* open(tree)
    const bare = yield* openFloor("{\"status\":\"ok\"}")
    const requests = [get("/health")]
    yield* Effect.promise(() => load({ port, pid: service.process.pid! }, { ...warmUp, requests }))
    return async () => {
      const least = await load(bare, { ...at, requests })
      const ours = await load({ port, pid: service.process.pid! }, { ...at, requests })
      return {
        rate: { ours: ours.perSecond, floor: least.perSecond },
        processor: alone(ours.processor, least.processor)
      }
    }
  })
})

/**
 * A signed-in veteran's smallest read, beside a bare server that sends the same bytes and beside a server written by
 * hand.
 */
export const me = benchmark({
  rounds: 7,
  figures: {
    rate: { name: "/me, 32 connections", unit: "/s", floor, goal: { atLeast: 0.16 } },
    processor: { name: "/me, processor time of a request", unit: "µs", floor, goal: { atMost: 65 } },
    fastify: {
      name: "/me / Fastify",
      unit: "/s",
      floor: "Fastify 5, jose, one prepared query",
      goal: { atLeast: 1.2 }
    }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { caCertificate, owner, port, service, url } = yield* open(tree)
    // A veteran may read only 600 times a minute, so 400 veterans share the load.
    const veterans = yield* Effect.promise(async () => {
      const all = []
      for (const veteran of await registerVeterans(owner, 400)) all.push(await signIn(service, veteran))
      return all
    })
    const { text } = yield* Effect.promise(() => call(service, "GET", "/api/veteran/me", veterans[0]!))
    const bare = yield* openFloor(text)
    const secret = randomBytes(32).toString("hex")
    const argument: FastifyServer = { url: url("runtime"), caCertificate, secret }
    const byHand = yield* start("fastify-server.ts", JSON.stringify(argument))
    const requests = veterans.map(({ headers }) => get("/api/veteran/me", headers))
    yield* Effect.promise(() => load({ port, pid: service.process.pid! }, { ...warmUp, requests }))
    const signed = yield* Effect.promise(() => Promise.all(veterans.map(({ id }) => sign(id, secret))))
    return async () => {
      const least = await load(bare, { ...at, requests })
      const ours = await load({ port, pid: service.process.pid! }, { ...at, requests })
      const rate = { ours: ours.perSecond, floor: least.perSecond }
      const hand = await load(byHand, { ...at, requests: signed })
      return {
        rate,
        processor: alone(ours.processor, least.processor),
        fastify: { ...rate, floor: hand.perSecond }
      }
    }
  })
})

const sign = async (id: string, secret: string) => {
  const token = await new SignJWT().setSubject(id).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(secret))
  return get("/api/veteran/me", { authorization: `Bearer ${token}` })
}
