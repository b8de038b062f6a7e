import { Deferred, Effect, Predicate, Queue, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import { compiledModules } from "./CompiledModules.ts"
import { framed, Incoming } from "./Dialogue.ts"
import type { FromWorker, ToWorker } from "./WorkerProcess.ts"

/** Garbage is collected after this many megabytes of new objects. With less, a sync takes longer. */
const semiSpaceMegabytes = 16

/** The service's connection to a worker process. Each effect fails once the process has died. */
export interface WorkerLine {
  /** Waits until the process takes the message. */
  readonly say: (message: ToWorker) => Effect.Effect<void, ServiceUnavailable>
  readonly hear: Effect.Effect<FromWorker, ServiceUnavailable>
  readonly died: Effect.Effect<never, ServiceUnavailable>
}

const program = fileURLToPath(new URL("./WorkerProcess.ts", import.meta.url))

/** Only these variables are inherited: none holds a secret, and none makes Node write reports or open ports. */
const inherited = /^(?:TZ|LANG|LC_\w+|MALLOC_\w+|NODE_COMPILE_CACHE)$/

/**
 * Starts a process whose heap has at most `megabytes`. It is killed when the scope closes. The shell forbids core
 * files, because they would hold health data.
 */
export const startWorker = Effect.fnUntraced(
  function*({ kind, large, megabytes }: {
    readonly kind: string
    readonly megabytes: number
    readonly large: number
  }): Effect.fn.Return<WorkerLine, ServiceUnavailable, Scope.Scope> {
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const child = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const flags = [`--max-old-space-size=${megabytes}`, `--max-semi-space-size=${semiSpaceMegabytes}`]
        const command = [process.execPath, ...flags, program, kind, `${large}`]
        const kept = Object.entries(process.env).filter(([name]) => inherited.test(name))
        const child = spawn("/bin/sh", ["-c", "ulimit -c 0; exec \"$@\"", "sh", ...command], {
          // Without it Node would load its compiler of TypeScript, which takes 12 MB.
          env: { NODE_COMPILE_CACHE: compiledModules, ...Object.fromEntries(kept) },
          stdio: ["pipe", "pipe", "pipe", "pipe"]
        })
        await once(child, "spawn")
        return child
      }).pipe(
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError(
              `a worker process could not be started: ${Predicate.hasProperty(defect, "code") && defect.code}`
            ),
            Effect.fail(new ServiceUnavailable())
          )
        )
      ),
      end
    )
    child.unref()
    for (const stream of child.stdio as unknown as ReadonlyArray<Socket>) stream.on("error", () => {}).unref()
    // Only the length is logged, because a process's own output, such as V8's crash report, may quote its data.
    for (const output of [child.stdout!, child.stderr!]) {
      output.on(
        "data",
        ({ length }: Buffer) => fork(Effect.logWarning(`a worker process wrote ${length} bytes, not shown`))
      )
    }
    const line = child.stdio[3] as Socket
    const heard = yield* Queue.unbounded<FromWorker>()
    const incoming = new Incoming()
    line.on("data", (chunk: Buffer) => {
      for (let at = 0; at < chunk.length;) {
        const count = chunk.copy(incoming.room, 0, at)
        at += count
        const whole = incoming.advance(count)
        if (whole !== undefined) Queue.offerUnsafe(heard, whole.message as FromWorker)
      }
    })
    const death = yield* Deferred.make<never, ServiceUnavailable>()
    child.on("exit", (code, signal) => {
      if (!child.killed) fork(Effect.logError(`a worker process died: ${reasonOf(code, signal)}`))
      Deferred.doneUnsafe(death, Effect.fail(new ServiceUnavailable()))
    })
    const died = Deferred.await(death)
    const write = (message: ToWorker) =>
      Effect.callback<void>((resume) => {
        line.cork()
        for (const bytes of framed(message)) line.write(bytes)
        line.write("", () => resume(Effect.void))
        line.uncork()
      })
    return {
      say: (message) => Effect.raceFirst(write(message), died),
      hear: Effect.raceFirst(Queue.take(heard), died),
      died
    }
  }
)

const reasonOf = (code: number | null, signal: NodeJS.Signals | null) =>
  signal === "SIGABRT"
    ? "its memory was full (SIGABRT)"
    : signal === "SIGKILL"
    ? "it was killed (SIGKILL)"
    : `it ended with ${signal ?? code}`

/** Kills the process and waits until it has exited, so that it does nothing afterwards. */
const end = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  })
