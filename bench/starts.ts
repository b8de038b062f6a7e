import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { sign } from "../test/http/release/Releases.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { expecting, open, openDatabase, startOn, statOf, temporary, timed } from "./Bench.ts"
import { benchmark, median } from "./Figure.ts"

const perRound = 20

/** The time to sign a release that contains only the authorization. */
export const release = benchmark({
  rounds: 7,
  figures: { authorization: { name: "release of an authorization alone", unit: "ms", goal: { atMost: 16 } } },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const times = []
      for (let n = 0; n < perRound; n++) {
        times.push(await timed(async () => expecting(201, await sign(service, veteran))))
      }
      return { authorization: { ours: median(times) } }
    }
  })
})

/** Seconds of processor time of this program's children that have ended. */
const endedTime = () => {
  const fields = statOf(process.pid)
  return (fields[13]! + fields[14]!) / 100
}

/** What a new process costs, from its second start on: the warm-up round migrates the database and fills caches. */
export const starts = benchmark({
  rounds: 5,
  figures: {
    healthy: { name: "process start to /health", unit: "s" },
    imports: { name: "processor time of a start that is refused after its imports", unit: "s", goal: { atMost: 0.6 } },
    release: { name: "first release of a process", unit: "ms", floor: "the next", goal: { atMost: 2 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const database = yield* openDatabase()
    const cwd = yield* temporary("start")
    // Settings are read after all imports, so a wrong one ends the program there.
    const refused = () => {
      const used = endedTime()
      const env = { PATH: process.env["PATH"], APP_ENV: "none" }
      const { status } = spawnSync(process.execPath, [join(tree.path, "src/main.ts")], { cwd, env })
      if (status !== 1) throw new Error(`the start should have been refused, and ended with ${status}`)
      return endedTime() - used
    }
    return async () => {
      const imports = refused()
      const started = performance.now()
      const service = await startOn(database, tree)
      const healthy = (performance.now() - started) / 1000
      try {
        const veteran = await signInVeteran(service)
        const signed = () => timed(async () => expecting(201, await sign(service, veteran)))
        // An app asks this when the veteran begins a release, who then fills a form.
        await call(service, "GET", "/api/veteran/me/roi/readiness", { headers: veteran.headers })
        await setTimeout(2000)
        const first = await signed()
        const next = []
        for (let n = 0; n < 7; n++) next.push(await signed())
        return {
          healthy: { ours: healthy },
          imports: { ours: imports },
          release: { ours: first, floor: median(next) }
        }
      } finally {
        await service.stop()
      }
    }
  })
})

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
        let longest = 0
        const isShown = () => fetch(`http://localhost:${ports.PORTAL_PORT}`).then(({ ok }) => ok)
        const ours = await timed(async () => {
          while (!await isShown()) {
            longest = Math.max(longest, await timed(() => fetch(`${service.url}/health`)))
            await setTimeout(20)
          }
        }) / 1000
        return { ours, detail: `longest /health ${longest.toFixed(0)} ms` }
      } finally {
        await service.stop()
      }
    }
    return async () => ({ fresh: await untilShown(), later: await untilShown() })
  })
})
