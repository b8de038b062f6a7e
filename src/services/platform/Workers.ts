import { type Duration, Effect, Pool, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import type { Dialogue } from "./Dialogue.ts"
import { sampleGauge } from "./Gauges.ts"
import { startWorker, type WorkerLine } from "./WorkerLine.ts"

/** Work in a process that exchanges plain data with the service. */
export interface Task<Question, Answer> {
  readonly module: URL
  readonly work?: (dialogue: Dialogue<Question, Answer>) => unknown
}

/**
 * Names the module whose default export is the work: after `import type work from "./Work.ts"`, `task<typeof work>(new
 * URL("./Work.ts", import.meta.url))`. Only the worker process loads the module.
 */
export const task = <Work extends (dialogue: never) => unknown>(
  module: URL
): Task<Sides<Work>["question"], Sides<Work>["answer"]> => ({ module })

/** The types of the messages that the service and the work send each other. */
type Sides<Work extends (dialogue: never) => unknown> = Parameters<Work>[0] extends
  Dialogue<infer Question, infer Answer> ? { readonly question: Question; readonly answer: Answer }
  : never

/** The service's side of a dialogue. The work's exceptions are defects. Calls fail with 503 after the process dies. */
export interface Work<Question, Answer> {
  /** Waits until the process takes the message. */
  readonly tell: (message: Question) => Effect.Effect<void, ServiceUnavailable>
  readonly hear: Effect.Effect<Answer, ServiceUnavailable>
  readonly ask: (message: Question) => Effect.Effect<Answer, ServiceUnavailable>
}

export interface Workers {
  /**
   * Begins the work once a process is free. Fails if too many tasks already wait. The work ends with the scope; a
   * process that does not stop then is killed. If a process dies or runs out of memory, other work is not affected.
   */
  readonly open: <Question, Answer>(
    task: Task<Question, Answer>
  ) => Effect.Effect<Work<Question, Answer>, ServiceUnavailable, Scope.Scope>
  /** If no work is in hand, has a process load the task's module, so that work that comes soon does not wait for it. */
  readonly expect: (task: Pick<Task<never, never>, "module">) => Effect.Effect<void>
}

/** More processes would cost memory and leave the event loop no core. */
const processes = Math.min(4, Math.max(2, availableParallelism() - 1))

/** Time for a process to stop after its work's scope has closed; then it is killed. */
const maxEnd = "1 second"

/** Time for a process to start and load a module before any work needs it. */
const maxLoading = "30 seconds"

/**
 * Makes processes for one kind of work, so that no other kind waits for it. They start with the first work. A process
 * ends after a minute without work. A process with more than `large` megabytes of resident memory ends with its work,
 * because an idle one would keep them. If `queue` works already wait, the next fails.
 *
 * Threads would not do: V8 ends a whole process when a heap is full, even if it is the heap of one thread.
 */
export const makeWorkers = Effect.fnUntraced(
  function*({ kind, large = 300, megabytes = 256, queue, size = processes }: {
    readonly kind: string
    readonly queue: number
    readonly megabytes?: number
    readonly large?: number
    readonly size?: number
  }): Effect.fn.Return<Workers, never, Scope.Scope> {
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const scope = yield* Effect.scope
    const pool: Pool.Pool<WorkerLine, ServiceUnavailable> = yield* Pool.makeWithTTL({
      acquire: Effect.tap(startWorker({ kind, megabytes, large }), (line) =>
        // A process that died while idle must not be used.
        Effect.sync(() => fork(Effect.catch(line.died, () => Pool.invalidate(pool, line))))),
      min: 0,
      max: size,
      timeToLive: "1 minute"
    })
    let inHand = 0
    const attributes = { work: kind }
    yield* sampleGauge("worker_tasks", "Tasks that worker processes do, or that wait for one", () => inHand, attributes)
    yield* sampleGauge(
      "worker_tasks_max",
      "Limit of worker_tasks; more are answered 503",
      () => size + queue,
      attributes
    )
    const count = Effect.acquireRelease(
      Effect.suspend(() => {
        if (inHand >= size + queue) return Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
        inHand++
        return Effect.void
      }),
      () => Effect.sync(() => inHand--)
    )
    const begin = Effect.fnUntraced(function*(module: URL, maxEnd: Duration.Input) {
      yield* count
      const line = yield* Pool.get(pool)
      yield* Effect.addFinalizer(() =>
        Effect.andThen(line.say({ over: true }), heardEnd(line)).pipe(
          Effect.flatMap((isLarge) => isLarge ? Pool.invalidate(pool, line) : Effect.void),
          Effect.timeoutOrElse({ duration: maxEnd, orElse: () => Effect.fail(new ServiceUnavailable()) }),
          Effect.catch(() => Pool.invalidate(pool, line))
        )
      )
      yield* line.say({ begin: module.href })
      return line
    })
    return {
      // The work loads, waits for its first message, and is told to end instead.
      expect: ({ module }) =>
        Effect.suspend(() => inHand > 0 ? Effect.void : Effect.scoped(begin(module, maxLoading))).pipe(
          Effect.ignore,
          Effect.forkIn(scope),
          Effect.asVoid
        ),
      open: Effect.fnUntraced(function*({ module }) {
        const line = yield* begin(module, maxEnd)
        const tell = (message: unknown) => line.say({ message })
        const hear = Effect.flatMap(line.hear, (said): Effect.Effect<any> =>
          "message" in said
            ? Effect.succeed(said.message)
            : Effect.die("defect" in said ? said.defect : new Error("a worker left its work")))
        return { tell, hear, ask: (message) => Effect.andThen(tell(message), hear) }
      })
    }
  }
)

/** Waits until the process reports the end of its work, and returns whether the process is large. */
const heardEnd = (line: WorkerLine): Effect.Effect<boolean, ServiceUnavailable> =>
  Effect.flatMap(line.hear, (said) => "ended" in said ? Effect.succeed(said.isLarge) : heardEnd(line))
