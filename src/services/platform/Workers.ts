import { Effect, Pool, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import type { Dialogue } from "./Dialogue.ts"
import { sampleGauge } from "./Gauges.ts"
import { type Heap, startWorker, type WorkerLine } from "./WorkerLine.ts"

/** Work that a process does while the service tells it something and hears its answers, all of it plain data. */
export interface Task<Told, Heard> {
  readonly module: URL
  readonly work?: (dialogue: Dialogue<Told, Heard>) => unknown
}

/**
 * Names the module whose default export is the work: after `import type work from "./Work.ts"`, `task<typeof work>(new
 * URL("./Work.ts", import.meta.url))`. The module is loaded in the process alone.
 */
export const task = <Work extends (dialogue: never) => unknown>(
  module: URL
): Task<Sides<Work>["told"], Sides<Work>["heard"]> => ({ module })

/** What the service says in a dialogue with the work, and what it gets back. */
type Sides<Work extends (dialogue: never) => unknown> = Parameters<Work>[0] extends Dialogue<infer Told, infer Heard>
  ? { readonly told: Told; readonly heard: Heard }
  : never

/** The service's side of a dialogue. What the work throws is a defect; 503 once the process has died. */
export interface Work<Told, Heard> {
  /** Waits until the process takes the message. */
  readonly tell: (message: Told) => Effect.Effect<void, ServiceUnavailable>
  readonly hear: Effect.Effect<Heard, ServiceUnavailable>
  readonly ask: (message: Told) => Effect.Effect<Heard, ServiceUnavailable>
}

export interface Workers {
  /**
   * Begins the work in a process once one is free, and ends it with the scope: a process that goes on is killed.
   * It fails when too many wait. A process that dies, or runs out of memory, ends no other work.
   */
  readonly open: <Told, Heard>(
    task: Task<Told, Heard>
  ) => Effect.Effect<Work<Told, Heard>, ServiceUnavailable, Scope.Scope>
}

/** More processes would cost memory and leave the event loop no core. */
const processes = Math.min(4, Math.max(2, availableParallelism() - 1))

/** A process has this long to notice that nobody wants more of its work. */
const maxEnd = "1 second"

/**
 * Makes processes for one kind of work, so that no other kind waits for it. They start with the first work, and those
 * that had none for a minute end, and those that became large end with their work. Beyond `queue` waiting the work is
 * refused.
 *
 * They are processes because V8 ends a whole process when a heap is full, even where that is the heap of one thread.
 */
export const makeWorkers = Effect.fnUntraced(
  function*({ kind, megabytes = 256, queue, size = processes, semiSpaceMegabytes = 16 }: Partial<Heap> & {
    /** Names the work in metrics. */
    readonly kind: string
    readonly queue: number
    readonly size?: number
  }): Effect.fn.Return<Workers, never, Scope.Scope> {
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const pool: Pool.Pool<WorkerLine, ServiceUnavailable> = yield* Pool.makeWithTTL({
      acquire: Effect.tap(startWorker(kind, { megabytes, semiSpaceMegabytes }), (line) =>
        // One that died while it was idle is given to nobody.
        Effect.sync(() => fork(Effect.catch(line.died, () => Pool.invalidate(pool, line))))),
      min: 0,
      max: size,
      timeToLive: "1 minute"
    })
    let inHand = 0
    const attributes = { work: kind }
    yield* sampleGauge(
      "worker_tasks",
      { description: "Tasks that worker processes have in hand or that wait for one", attributes },
      () => inHand
    )
    yield* sampleGauge(
      "worker_tasks_max",
      { description: "The most of them; more are answered 503", attributes },
      () => size + queue
    )
    const count = Effect.acquireRelease(
      Effect.suspend(() => {
        if (inHand >= size + queue) return Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
        inHand++
        return Effect.void
      }),
      () => Effect.sync(() => inHand--)
    )
    return {
      open: Effect.fnUntraced(function*({ module }) {
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

/** Answers whether the process is large. */
const heardEnd = (line: WorkerLine): Effect.Effect<boolean, ServiceUnavailable> =>
  Effect.flatMap(line.hear, (said) => "ended" in said ? Effect.succeed(said.isLarge) : heardEnd(line))
