import { Effect } from "effect"
import type pg from "pg"
import { registerVeterans, signIn } from "../test/support/Client.ts"
import { familyTime, openDatabase, openService, portOf, resources, syncBody, syncPath } from "./Bench.ts"
import { benchmark, type Sample } from "./Figure.ts"
import { get, load, post } from "./load.ts"
import { postmasterOf } from "./Postgres.ts"

const seconds = 2

const floor = "one process"

/** Connections that wait for another one's lock, as they would for a row that all requests change. */
const waiting = "select count(*)::int as waits from pg_stat_activity where wait_event_type = 'Lock'"

/** PostgreSQL's processor time for a request if two processes on this machine share the load, beside one process. */
export const pair = benchmark({
  rounds: 5,
  figures: {
    me: { name: "PostgreSQL for a /me, two processes", unit: "µs", floor, goal: { atMost: 1.5 } },
    sync: { name: "PostgreSQL for a sync of 20, two processes", unit: "µs", floor, goal: { atMost: 1.5 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const database = yield* openDatabase()
    const both = [yield* openService(database, tree), yield* openService(database, tree)]
    const { owner } = database
    const postmaster = yield* Effect.promise(() => postmasterOf(owner))
    const veterans = yield* Effect.promise(async () => {
      const all = []
      for (const veteran of await registerVeterans(owner, 200)) all.push(await signIn(both[0]!, veteran))
      return all
    })
    let version = 0
    const reads = veterans.map(({ headers }) => get("/api/veteran/me", headers))
    const syncs = () => {
      const lead = `{${" ".repeat(++version)}`
      const types = [...resources(20)].map(([type, texts]) =>
        [type, texts.map((text) => text.replace(/^\s*\{/, lead))] as const
      )
      const body = syncBody(new Map(types))
      return veterans.map(({ headers }) => post(syncPath, headers, body))
    }
    /** Every process gets its share of the same connections and veterans. */
    const used = async (services: typeof both, connections: number, requests: ReadonlyArray<Buffer>) => {
      await owner.query("delete from rate_limit_spendings")
      const before = familyTime(postmaster)
      const looks: Array<Promise<pg.QueryResult<{ readonly waits: number }>>> = []
      const looking = setInterval(() => looks.push(owner.query(waiting)), 100)
      const loads = await Promise.all(
        services.map((service, side) =>
          load({ port: portOf(service), pid: service.process.pid! }, {
            connections: connections / services.length,
            seconds,
            requests: requests.filter((_, n) => n % services.length === side)
          })
        )
      ).finally(() => clearInterval(looking))
      const waits = (await Promise.all(looks)).reduce((sum, { rows }) => sum + rows[0]!.waits, 0)
      const answered = loads.reduce((sum, { answered }) => sum + answered, 0)
      return {
        micros: (familyTime(postmaster) - before) / answered,
        told: `${answered} answers, ${waits} waits for locks`
      }
    }
    const beside = async (connections: number, requests: () => ReadonlyArray<Buffer>): Promise<Sample> => {
      const one = await used(both.slice(0, 1), connections, requests())
      const two = await used(both, connections, requests())
      return { ours: two.micros, floor: one.micros, detail: `${two.told}; one process: ${one.told}` }
    }
    return async () => ({ me: await beside(32, () => reads), sync: await beside(8, syncs) })
  })
})
