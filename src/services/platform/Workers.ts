import { Effect, Pool, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { type Transferable, Worker } from "node:worker_threads"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import { sampleGauge } from "./Gauges.ts"
import type { Answered, Asked } from "./WorkerThread.ts"

/** Work that a thread does. Its input and output are plain data: what `structuredClone` takes. */
export interface Task<Input, Output> {
  readonly module: URL
  readonly work?: (input: Input) => Output
}

/**
 * Names the module whose default export is the work: after `import type work from "./Work.ts"`, `task<typeof work>(new
 * URL("./Work.ts", import.meta.url))`. The module is loaded in the thread alone.
 */
export const task = <Work extends (input: never) => unknown>(
  module: URL
): Task<Parameters<Work>[0], Awaited<ReturnType<Work>>> => ({ module })

export interface Workers {
  /**
   * Does the work in a thread once one is free. `transfer` lists what of the input moves there instead of being copied, a
   * `MessagePort` included. It fails when too many wait, and when the thread dies or runs out of memory, which ends no
   * other work; what the work throws is a defect. Interrupted, it ends the thread.
   */
  readonly run: <Input, Output>(
    task: Task<Input, Output>,
    input: NoInfer<Input>,
    transfer?: ReadonlyArray<Transferable>
  ) => Effect.Effect<Output, ServiceUnavailable>
}

/** More threads would cost memory and leave the event loop no core. */
const threads = Math.min(4, Math.max(2, availableParallelism() - 1))

/**
 * Makes threads for one kind of work, so that no other kind waits for it. They start with the first work, and those that had
 * none for a minute end. Beyond `queue` waiting the work is refused.
 *
 * A thread whose heap grows beyond `megabytes` ends, or in rare cases the process with it: V8 ends the process where a
 * thread goes on to allocate before it can be ended. So the work itself bounds what it takes by what it is given. Of the
 * heap, `youngMegabytes` (48 unless told) fill up with garbage before it is collected.
 */
export const makeWorkers = Effect.fnUntraced(
  function*({ kind, megabytes = 256, queue, size = threads, youngMegabytes }: {
    /** Names the work in metrics. */
    readonly kind: string
    readonly queue: number
    readonly megabytes?: number
    readonly youngMegabytes?: number
    readonly size?: number
  }): Effect.fn.Return<Workers, never, Scope.Scope> {
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    /** What a thread writes by itself, as Node's warnings, may quote what it works on. */
    const quiet = (thread: Worker) => {
      for (const output of [thread.stdout, thread.stderr]) {
        output.on(
          "data",
          ({ length }: Buffer) => fork(Effect.logWarning(`a worker thread wrote ${length} bytes, not shown`))
        )
      }
      return thread
    }
    const pool: Pool.Pool<Worker> = yield* Pool.makeWithTTL({
      acquire: Effect.acquireRelease(Effect.sync(() => quiet(start(megabytes, youngMegabytes))), end),
      min: 0,
      max: size,
      timeToLive: "1 minute"
    })
    let inHand = 0
    const attributes = { work: kind }
    yield* sampleGauge(
      "worker_tasks",
      { description: "Tasks that threads have in hand or that wait for one", attributes },
      () => inHand
    )
    yield* sampleGauge(
      "worker_tasks_max",
      { description: "The most of them; more are answered 503", attributes },
      () => size + queue
    )
    return {
      run: (task, input, transfer = []) =>
        Effect.suspend(() => {
          if (inHand >= size + queue) return Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
          inHand++
          return Pool.use(pool, (thread) =>
            perform(thread, { module: task.module.href, input }, transfer).pipe(
              // A thread whose answer came is idle again; any other is dead or at work for nobody.
              Effect.onError(() => Pool.invalidate(pool, thread))
            )).pipe(Effect.ensuring(Effect.sync(() => inHand--)))
        })
    }
  }
)

const start = (megabytes: number, youngMegabytes: number | undefined) => {
  const thread = new Worker(new URL("./WorkerThread.ts", import.meta.url), {
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: megabytes,
      ...(youngMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngMegabytes })
    }
  })
  // A thread without work keeps no process alive; its death has no listener otherwise, and would end the process.
  thread.on("error", () => {}).unref()
  return thread
}

const end = (thread: Worker) => Effect.promise(() => thread.terminate())

const perform = (thread: Worker, asked: Asked, transfer: ReadonlyArray<Transferable>) =>
  Effect.callback<any, ServiceUnavailable>((resume) => {
    let cause = "it ended"
    const onAnswer = (answered: Answered) =>
      settle("output" in answered ? Effect.succeed(answered.output) : Effect.die(answered.defect))
    const onError = (error: NodeJS.ErrnoException) => {
      cause = error.code ?? error.name
    }
    const onExit = () =>
      settle(Effect.andThen(Effect.logError(`a worker thread died: ${cause}`), Effect.fail(new ServiceUnavailable())))
    const settle = (result: Effect.Effect<any, ServiceUnavailable>) => {
      stop()
      resume(result)
    }
    const stop = () => thread.off("message", onAnswer).off("error", onError).off("exit", onExit)
    thread.on("message", onAnswer).on("error", onError).on("exit", onExit)
    // One that died while it was idle has no id any more, and tells nobody again.
    if (thread.threadId === -1) onExit()
    else thread.postMessage(asked, transfer)
    return Effect.sync(stop)
  })
