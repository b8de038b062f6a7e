import { Context, Effect, Fiber, Layer, Scope } from "effect"
import { MessageChannel } from "node:worker_threads"
import { InvalidJson, InvalidRequest, ServiceUnavailable, SyncRequired } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { makeWorkers, task } from "../platform/Workers.ts"
import { type SyncBody, SyncReading } from "./SyncReading.ts"
import type readInThread from "./SyncThread.ts"
import type { Method, Question, Reply } from "./SyncThread.ts"

type Refused = InvalidJson | InvalidRequest | SyncRequired

/** Asks a reading, wherever it runs, for one thing after the other. */
export type AskReading = <M extends Method>(
  method: M,
  ...args: Parameters<SyncReading[M]>
) => Effect.Effect<ReturnType<SyncReading[M]>, Refused | ServiceUnavailable>

type Reading = Effect.Effect<AskReading, Refused | ServiceUnavailable, Scope.Scope>

/** The same without its types, which a port does not keep. */
type Ask = (
  method: Method,
  ...args: ReadonlyArray<unknown>
) => Effect.Effect<unknown, Refused | ServiceUnavailable>

/** A body of fewer bytes is read where it is: a thread takes twice as long over it, and half a second to start. */
const smallBody = 256 * 1024

/** No step of an honest sync takes so long; one that was made to is given up, and its thread ended. */
const longestStep = "30 seconds"

/** With more items stored even a small body takes long. */
const fewItems = 10_000

/**
 * A heap of so many megabytes holds the text of the largest body, and what is parsed of it. With little room for garbage the
 * largest sync takes 45 MB less.
 */
const heap = { megabytes: 512, youngMegabytes: 4 }

/** Reads syncs: small ones here, others in a thread, so that they keep nobody waiting. */
export class SyncReader extends Context.Service<SyncReader, {
  /** Checks what surrounds the resources. The bytes may move to another thread. */
  readonly read: (
    veteranId: VeteranId,
    bytes: Uint8Array
  ) => Reading
}>()("vrss/SyncReader") {
  static readonly layer = Layer.effect(
    SyncReader,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const { syncsAtOnce } = yield* Settings
      // One that was hung up on may still be busy when the next begins.
      const workers = yield* makeWorkers({ kind: "syncs", size: syncsAtOnce, queue: syncsAtOnce, ...heap })
      const macKey = crypto.derivedKey("content")
      const referenceKey = crypto.derivedKey("reference")

      const readInThread = Effect.fnUntraced(function*(body: SyncBody) {
        const { port1: port, port2 } = new MessageChannel()
        const thread = yield* Effect.forkDetach(
          workers.run(reading, { body, port: port2 }, [port2, body.bytes.buffer as ArrayBuffer])
        )
        let asking = false
        // A thread that nobody waits for ends its work when the port is closed; one that is deep in it is ended.
        yield* Effect.addFinalizer(() =>
          Effect.suspend(() => {
            port.close()
            return asking ? Fiber.interrupt(thread) : Effect.void
          })
        )
        const reply = Effect.callback<Reply>((resume) => {
          const hear = (reply: Reply) => resume(Effect.succeed(reply))
          port.once("message", hear)
          return Effect.sync(() => port.off("message", hear))
        })
        const ended = Effect.andThen(Fiber.join(thread), Effect.die(new Error("a thread left a sync")))
        const hear = Effect.gen(function*() {
          asking = true
          const heard = yield* Effect.timeoutOrElse(Effect.raceFirst(reply, ended), {
            duration: longestStep,
            orElse: () => Effect.fail(new ServiceUnavailable())
          })
          asking = false
          if ("answer" in heard) return heard.answer
          if ("required" in heard) return yield* new SyncRequired({ resourceTypes: heard.required })
          return yield* heard.refused === undefined ? new InvalidJson() : new InvalidRequest({ issues: heard.refused })
        })
        yield* hear
        const ask: Ask = (method, ...args) =>
          Effect.suspend(() => {
            port.postMessage({ method, args } satisfies Question)
            return hear
          })
        return ask
      })

      const readHere = Effect.fnUntraced(function*(body: SyncBody) {
        const scope = yield* Effect.scope
        const reading = yield* attempt(() => new SyncReading(body))
        let asked: Array<Question> = []
        let items = 0
        let thread: Ask | undefined
        /** Small bodies share memory with others, which stays here. */
        const moved = readInThread({ ...body, bytes: new Uint8Array(body.bytes) }).pipe(
          Effect.tap((ask) => Effect.forEach(asked, ({ args, method }) => ask(method, ...args))),
          Effect.tap((ask) => Effect.sync(() => thread = ask)),
          Scope.provide(scope)
        )
        const ask: Ask = (method, ...args) => {
          if (thread !== undefined) return thread(method, ...args)
          if (method === "begin") [asked, items] = [[], 0]
          if (method === "recall") items += (args as Parameters<SyncReading["recall"]>)[0].activities.length
          if (items > fewItems) return Effect.flatMap(moved, (ask) => ask(method, ...args))
          if (method !== "step") asked.push({ method, args })
          return attempt(() => (reading[method] as (...args: ReadonlyArray<unknown>) => unknown)(...args))
        }
        return ask
      })

      return SyncReader.of({
        read: (veteranId, bytes) => {
          const sealingKey = crypto.sealingKey({ table: "health_record_items", column: "raw_ciphertext", veteranId })
          const body = { bytes, veteranId, sealingKey, macKey, referenceKey }
          return (bytes.length < smallBody ? readHere(body) : readInThread(body)) as Reading
        }
      })
    })
  )
}

const reading = task<typeof readInThread>(new URL("./SyncThread.ts", import.meta.url))

const attempt = <A>(work: () => A): Effect.Effect<A, Refused> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (error) {
      const isRefusal = error instanceof InvalidJson || error instanceof InvalidRequest || error instanceof SyncRequired
      if (isRefusal) return Effect.fail(error)
      throw error
    }
  })
