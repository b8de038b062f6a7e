import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { sign } from "../test/http/release/Releases.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { endedTime, expecting, openDatabase, startOn, temporary, timed } from "./Bench.ts"
import { benchmark, median } from "./Figure.ts"

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
      return (endedTime() - used) / 1e6
    }
    return async () => {
      const imports = refused()
      const started = performance.now()
      const service = await startOn(database, tree)
      const healthy = (performance.now() - started) / 1000
      try {
        const veteran = await signInVeteran(service)
        const release = () => timed(async () => expecting(201, await sign(service, veteran)))
        // An app asks this when the veteran begins a release, who then fills a form.
        await call(service, "GET", "/api/veteran/me/roi/readiness", { headers: veteran.headers })
        await setTimeout(2000)
        const first = await release()
        const next = []
        for (let n = 0; n < 7; n++) next.push(await release())
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
