import { Effect } from "effect"
import { existsSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { familyTime, openDatabase, startOn, timed } from "./Bench.ts"
import { benchmark } from "./Figure.ts"

/** How long a start in development takes until the portal's page is there: on a fresh clone, and later. */
export const firstPage = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    fresh: { name: "first portal page on a fresh clone, from /health on", unit: "s", goal: { atMost: 8 } },
    later: { name: "the same of a later start", unit: "s", goal: { atMost: 0.5 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const database = yield* openDatabase()
    const folder = join(tree.path, "dist/web")
    const aside = `${folder}.aside`
    yield* Effect.acquireRelease(
      Effect.promise(async () => {
        if (existsSync(folder)) await rename(folder, aside)
      }),
      () =>
        Effect.promise(async () => {
          await rm(folder, { recursive: true, force: true })
          if (existsSync(aside)) await rename(aside, folder)
        })
    )
    const untilShown = async () => {
      const ports = {
        PORTAL_PORT: `${await freePort()}`,
        VETERAN_APP_PORT: `${await freePort()}`,
        SANDBOX_VA_PORT: "0"
      }
      const service = await startOn(database, tree, { APP_ENV: "development", ...ports })
      try {
        const used = familyTime(service.process.pid!)
        let longest = 0
        const isShown = () => fetch(`http://localhost:${ports.PORTAL_PORT}`).then(({ ok }) => ok)
        const ours = await timed(async () => {
          while (!await isShown()) {
            longest = Math.max(longest, await timed(() => fetch(`${service.url}/health`)))
            await setTimeout(20)
          }
        }) / 1000
        const processor = (familyTime(service.process.pid!) - used) / 1e6
        return { ours, detail: `processor time ${processor.toFixed(1)} s; longest /health ${longest.toFixed(0)} ms` }
      } finally {
        await service.stop()
      }
    }
    return async () => ({ fresh: await untilShown(), later: await untilShown() })
  })
})
