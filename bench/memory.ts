import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { release, upload } from "../test/http/release/Releases.ts"
import { call, type SignedIn, signInVeteran } from "../test/support/Client.ts"
import { expecting, open, quietMillis, residentSet, resources, syncBody, timedSync, watched } from "./Bench.ts"
import { alone, benchmark } from "./Figure.ts"
import { get, load } from "./load.ts"
import { openRecord } from "./requests.ts"

/** One name in each script that has its own fonts. */
const names = ["Sean O'Hara", "محمد علي", "יוסף כהן", "山田太郎", "김철수", "王小明", "สมชาย ใจดี"]

/**
 * The memory that the service still takes 130 seconds after views, syncs, releases and uploads. By then its worker
 * processes have ended, because they end after one to two minutes without work. No settings of malloc are made.
 */
export const memory = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    most: {
      name: "largest resident set in views, syncs, releases and uploads",
      unit: "MB",
      goal: { atMost: 600 }
    },
    after: { name: "resident set two minutes after these", unit: "MB", floor: "before", goal: { atMost: 450 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { port, service } = yield* open(tree)
    const work = async () => {
      const { path, providers, veteran } = await openRecord(service, 8)
      for (const coding of ["zstd", "identity"]) {
        const requests = providers.map(({ headers }) => get(path, { ...headers, "accept-encoding": coding }))
        await load(port, { connections: 8, seconds: 4, requests })
      }
      await load(port, { connections: 32, seconds: 4, requests: [get("/health")] })
      await timedSync(service, await signInVeteran(service), syncBody(resources(27_000)))
      const rich = await signInVeteran(service)
      await timedSync(service, rich, syncBody(resources(20_000)))
      const sign = async ({ headers }: SignedIn, fullName: string, types: ReadonlyArray<string>) => {
        const changes = {
          veteran: { fullName, dateOfBirth: "1962-03-04" },
          information: { resourceTypes: types },
          signature: { ...release().signature, typedName: fullName }
        }
        expecting(201, await call(service, "POST", "/api/veteran/me/roi", { headers, body: release(changes) }))
      }
      await sign(rich, names[0]!, Object.keys(resources(3000)))
      for (const name of names) await sign(veteran, name, ["Condition"])
      const file = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(25 * 1024 * 1024 - 9)])
      await Promise.all(
        Array.from({ length: 8 }, async () => expecting(201, await upload(service, veteran, file, "a.pdf")))
      )
    }
    return async () => {
      const before = residentSet(service)
      const most = await watched(service, work)
      await setTimeout(quietMillis)
      const after = residentSet(service)
      if (after === 0) throw new Error(`the service ended: ${service.output().slice(-300)}`)
      return { after: alone(after, before), most: { ours: most } }
    }
  })
})
