import { Effect, Semaphore } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { constants, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { hashOfInputs, isBuilt, mayBuild } from "./BuiltPages.ts"
import type { Site } from "./Sites.ts"

/** A build fills a processor, so that two at once would end no sooner. */
const oneAtATime = Semaphore.makeUnsafe(1)

/** Builds one site after another, as they are asked for. If a build fails, a log line says what to do. */
export const buildSite = Effect.fn("buildSite")(function*(site: Site) {
  if (yield* Effect.promise(async () => isBuilt(site.folder, await hashOfInputs(site), true))) return
  if (!mayBuild()) {
    return yield* Effect.logWarning(
      `${site.called} are not built: Vite is a development dependency, which npm ci installs without --omit=dev`
    )
  }
  const status = yield* Effect.scoped(
    Effect.flatMap(builder(site), (child) =>
      Effect.callback<number | null>((resume) => {
        child.once("error", () => resume(Effect.succeed(null))).once("exit", (code) => resume(Effect.succeed(code)))
      }))
  )
  yield* status === 0
    ? Effect.logInfo(`${site.called} are built`)
    : Effect.logWarning(`${site.called} could not be built: npm run build says why`)
}, oneAtATime.withPermits(1))

/** Builds in a child process of lower priority, so that the service stays responsive. The child gets no secret. */
const builder = ({ name }: Site) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const program = fileURLToPath(new URL("../../web/build.ts", import.meta.url))
      const child = spawn(process.execPath, [program, "--plain", "--site", name], {
        env: { PATH: process.env["PATH"] },
        stdio: "ignore"
      })
      try {
        if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
      } catch {
        // Ignored: the child process has already ended, so it has no priority to change.
      }
      return child
    }),
    (child: ChildProcess) => Effect.sync(() => child.kill("SIGKILL"))
  )
