import { Context, Effect, Layer, Scope } from "effect"
import { InvalidJson, InvalidRequest, PayloadTooLarge, ServiceUnavailable, SyncRequired } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { makeWorkers, task } from "../platform/Workers.ts"
import { smallBody } from "./SyncPlaces.ts"
import type readInProcess from "./SyncProcess.ts"
import { answerTo, attempt, type Method, type Question, type Reply } from "./SyncProcess.ts"
import { type SyncBody, SyncReading } from "./SyncReading.ts"

type Refusal = InvalidJson | InvalidRequest | PayloadTooLarge | SyncRequired

/** Calls a method of a `SyncReading`, which runs in this process or in a worker process. */
export type AskReading = <M extends Method>(
  method: M,
  ...args: Parameters<SyncReading[M]>
) => Effect.Effect<ReturnType<SyncReading[M]>, Refusal | ServiceUnavailable>

type Reading = Effect.Effect<AskReading, Refusal | ServiceUnavailable, Scope.Scope>

/** Like `AskReading`, without the types, which messages between processes do not carry. */
type Ask = (
  method: Method,
  ...args: ReadonlyArray<unknown>
) => Effect.Effect<unknown, Refusal | ServiceUnavailable>

/** A step of an honest sync is shorter. A longer one fails, and its process is ended. */
const maxStep = "30 seconds"

/** If the types of a sync have more stored items than this, a worker process reads even a small body. */
const fewItems = 10_000

/** Holds the largest body and its parsed resources. */
const megabytes = 512

/**
 * Twenty syncs of 3,000 resources leave a process of 196 MB, and one of 60 MB leaves 218. With a limit of 192, every
 * ninth sync would start a process.
 */
const large = 208

const syncProcess = task<typeof readInProcess>(new URL("./SyncProcess.ts", import.meta.url))

/** Reads small syncs in this process, and larger ones in a worker process so that they do not block others. */
export class SyncReader extends Context.Service<SyncReader, {
  /** Checks the request except its resources. `bytes` is empty afterwards if it was moved to a worker process. */
  readonly read: (
    veteranId: VeteranId,
    bytes: Uint8Array
  ) => Reading
  /** Has a process ready for a sync that may come within a minute. */
  readonly expect: Effect.Effect<void>
}>()("vrss/services/record/SyncReader") {
  static readonly layer = Layer.effect(
    SyncReader,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const { syncsAtOnce } = yield* Settings
      // A small sync has an extra place (SyncPlaces.ts), and may need a process if many items are stored.
      const workers = yield* makeWorkers({ kind: "syncs", size: syncsAtOnce + 1, queue: syncsAtOnce, megabytes, large })
      const macKey = crypto.derivedKey("content")
      const referenceKey = crypto.derivedKey("reference")

      const readInProcess = Effect.fnUntraced(function*(body: SyncBody) {
        const { hear, tell } = yield* workers.open(syncProcess)
        const answer = Effect.flatMap(hear, outcomeOf).pipe(
          Effect.timeoutOrElse({ duration: maxStep, orElse: () => Effect.fail(new ServiceUnavailable()) })
        )
        yield* tell(body)
        yield* answer
        const ask: Ask = (method, ...args) => Effect.andThen(tell({ method, args }), answer)
        return ask
      })

      const readHere = Effect.fnUntraced(function*(body: SyncBody) {
        const scope = yield* Effect.scope
        const reading = yield* here(() => new SyncReading(body))
        let asked: Array<Question> = []
        let items = 0
        let elsewhere: Ask | undefined
        const moved = readInProcess(body).pipe(
          Effect.tap((ask) => Effect.forEach(asked, ({ args, method }) => ask(method, ...args))),
          Effect.tap((ask) => Effect.sync(() => elsewhere = ask)),
          Scope.provide(scope)
        )
        const ask: Ask = (method, ...args) => {
          if (elsewhere !== undefined) return elsewhere(method, ...args)
          if (method === "begin") [asked, items] = [[], 0]
          if (method === "recall") items += (args as Parameters<SyncReading["recall"]>)[0].activities.length
          if (items > fewItems) return Effect.flatMap(moved, (ask) => ask(method, ...args))
          if (method !== "step") asked.push({ method, args })
          return here(() => answerTo(reading, { method, args }))
        }
        return ask
      })

      return SyncReader.of({
        expect: workers.expect(syncProcess),
        read: (veteranId, bytes) => {
          const sealingKey = crypto.sealingKey({ table: "health_record_items", column: "raw_ciphertext", veteranId })
          const body = { bytes, veteranId, sealingKey, macKey, referenceKey }
          // In a worker process a small body would take twice as long, plus half a second for the process's start.
          if (bytes.length < smallBody) return readHere(body) as Reading
          // The worker process has the body now, so the body's memory in this process is freed.
          return Effect.tap(
            readInProcess(body),
            () => Effect.sync(() => (bytes.buffer as ArrayBuffer).transfer(0))
          ) as Reading
        }
      })
    })
  )
}

const outcomeOf = (reply: Reply): Effect.Effect<unknown, Refusal> => {
  if ("answer" in reply) return Effect.succeed(reply.answer)
  if ("tooLarge" in reply) return Effect.fail(new PayloadTooLarge(PayloadTooLarge.resources))
  if ("required" in reply) return Effect.fail(new SyncRequired({ resourceTypes: reply.required }))
  return Effect.fail(reply.refused === undefined ? new InvalidJson() : new InvalidRequest({ issues: reply.refused }))
}

const here = <A>(work: () => A) => Effect.suspend(() => outcomeOf(attempt(work)) as Effect.Effect<A, Refusal>)
