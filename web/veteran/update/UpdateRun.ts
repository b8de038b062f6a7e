import { Clock, Effect, Redacted } from "effect"
import { FhirReader, type GapCause, type ReadProgress } from "../../../src/client/FhirReader.ts"
import { fittingResources, type SizedType } from "../../../src/client/SyncBodies.ts"
import { digestOf } from "./Digest.ts"
import type { End, FromUpdate, UpdateSource, UpdateTask } from "./Messages.ts"
import { maxBodyBytes, Outbox } from "./Outbox.ts"
import type { Presence } from "./Presence.ts"
import { ProgressBoard } from "./ProgressBoard.ts"
import type { ServiceAccess } from "./ServiceAccess.ts"
import { bodyOf, compressed, type LoadedType } from "./SyncBody.ts"
import { type SyncAnswer, syncService } from "./SyncService.ts"
import { progressOf, takesDigest, typesLeft } from "./TypesLeft.ts"

/** Types that are read at the same time. */
const atOnce = 2

/**
 * All devices share the VA's limit a minute, and may spend it each time before a kind asks again. Such a kind is loaded
 * again this often, after the others.
 */
const maxLimitedRounds = 5

/** After this many pages a type is given up, because the server may send pages without an end. */
const maxPages = 1000

export interface UpdateSurroundings {
  readonly access: ServiceAccess
  readonly presence: Presence
  readonly tell: (message: FromUpdate) => void
  /** Set while an update runs, so that the page can ask for a sync at once. */
  readonly outbox: (outbox: Outbox) => void
}

const isIn = (types: ReadonlyArray<string>) => ({ resourceType }: LoadedType) => types.includes(resourceType)

/** Compresses what was fetched, or digests it. Afterwards its texts can be let go. */
const loaded = async ({ bytes, resources, resourceType, status }: SizedType, known: boolean): Promise<LoadedType> => {
  const type = { resourceType, status, count: resources.length }
  if (status === "complete" && known) return { ...type, bytes: 0, content: { digest: await digestOf(resources) } }
  const content = resources.length === 0 ? undefined : { list: await compressed(resourceType, resources) }
  return { ...type, bytes, content }
}

/** One update: reads types from the VA, and sends each to the service soon after it is loaded (contract, 14.8). */
export const runUpdate = Effect.fnUntraced(
  function*(
    source: UpdateSource,
    task: UpdateTask,
    { access, outbox: noteOutbox, presence, tell }: UpdateSurroundings
  ) {
    const reader = yield* FhirReader
    const service = syncService(source.api, access, presence)
    const board = yield* Effect.acquireRelease(
      Effect.sync(() => new ProgressBoard(tell)),
      (board) => Effect.sync(() => board.stop())
    )
    const outbox = new Outbox()
    noteOutbox(outbox)
    const manifest = yield* service.manifest
    /** Types that the service wants whole, because its digest differs. */
    const whole = new Set<string>()
    /** How often each type ended because of the VA's limit. */
    const limited = new Map<string, number>()
    let hasPage = false
    let isVaOver = false
    let isStored = false

    const read = Effect.fnUntraced(function*(resourceType: string) {
      let cause: GapCause | null = null
      const onProgress = (progress: ReadProgress) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          board.wait(resourceType, progress._tag === "Waiting" ? now + progress.seconds * 1000 : null)
          if (progress._tag === "Waiting") return board.change(resourceType, { step: "paused" })
          if (progress._tag === "Page") hasPage = true
          if (progress._tag === "Done") cause = progress.cause ?? null
          board.change(resourceType, { step: "loading", count: progress.resources, cause })
        })
      const from = { baseUrl: source.fhirBase, token: Redacted.make(source.vaToken), patientId: source.patientId }
      for (;;) {
        board.change(resourceType, { step: "loading", count: 0, cause: null })
        const wasAway = presence.watch()
        const [fetched] = yield* reader.read(from, [resourceType], {
          maxPages,
          maxCharacters: maxBodyBytes,
          onProgress
        })
        const isLost = cause === "unreachable" || cause === "slow"
        if (!(isLost && wasAway())) return { fetched: fetched!, cause: cause as GapCause | null }
        // What a device that was away could not load is loaded again. It would count as a failure of the VA's.
        yield* presence.back
      }
    })

    /** A 401 ends the reading, unless the VA takes the token for other types and its time is not up. */
    const endsSignIn = (cause: GapCause | null, now: number) =>
      cause === "unauthorized" && (!hasPage || source.vaExpiresAt <= now)

    /** Returns the type if it must be loaded again, after the others. */
    const load = Effect.fnUntraced(function*(resourceType: string) {
      isVaOver ||= source.vaExpiresAt <= (yield* Clock.currentTimeMillis)
      if (isVaOver) return undefined
      const { cause, fetched } = yield* read(resourceType)
      if (endsSignIn(cause, yield* Clock.currentTimeMillis)) {
        isVaOver = true
        board.change(resourceType, { step: "open", count: 0, cause: null })
        return undefined
      }
      const rounds = limited.get(resourceType) ?? 0
      if (cause === "limited" && rounds < maxLimitedRounds) {
        limited.set(resourceType, rounds + 1)
        board.change(resourceType, { step: "paused", count: 0, cause: null })
        return resourceType
      }
      const { notice, type } = fittingResources(fetched, maxBodyBytes)
      board.change(resourceType, {
        step: "sending",
        count: type.resources.length,
        cause: notice === undefined ? cause : "large"
      })
      outbox.add(
        yield* Effect.promise(() => loaded(type, takesDigest(manifest, resourceType) && !whole.has(resourceType)))
      )
      return undefined
    })

    const store = (types: ReadonlyArray<LoadedType>, answer: SyncAnswer) => {
      for (const { resourceType, status } of types) {
        const { itemCount = 0, state } = answer.manifest[resourceType] ?? {}
        const skipped = answer.results[resourceType]?.skipped ?? 0
        const keepsOlder = status !== "complete" && itemCount > 0 &&
          (state === "stale" || status === "unavailable" || skipped > 0)
        board.change(resourceType, { step: status, keepsOlder })
      }
      const at = answer.manifest[types[0]!.resourceType]?.lastFetchAt
      if (isStored || at === undefined) return
      isStored = true
      tell({ is: "stored", at })
    }

    /** Sends what is loaded, until no more comes. Returns the types that must be loaded again. */
    const send = Effect.gen(function*() {
      const again: Array<string> = []
      for (let types = yield* outbox.next; types !== undefined; types = yield* outbox.next) {
        const sent = types
        const body = yield* Effect.promise(() => bodyOf(sent))
        const outcome = yield* service.sync(body)
        if (outcome.is === "stored") store(sent, outcome.answer)
        else if (outcome.is === "required" && sent.some(isIn(outcome.types))) {
          for (const { resourceType } of sent.filter(isIn(outcome.types))) {
            again.push(resourceType)
            board.change(resourceType, { step: "open", count: 0 })
          }
          outbox.back(sent.filter((type) => !isIn(outcome.types)(type)))
        } else if (sent.length > 1) outbox.divide(sent)
        else board.change(sent[0]!.resourceType, { step: "refused" })
      }
      return again
    })

    const left = typesLeft(task, manifest)
    for (const type of new Set(task.resourceTypes)) board.add(progressOf(type, manifest, left.includes(type)))
    // A kind may end before the first pause ends, and the page says only ends of kinds that it knows.
    board.flush()
    for (let types: ReadonlyArray<string> = left; types.length > 0;) {
      outbox.reopen()
      const loading = Effect.forEach(types, load, { concurrency: atOnce })
      const [required, later] = yield* Effect.all(
        [send, Effect.tap(loading, () => Effect.sync(() => outbox.close()))],
        { concurrency: 2 }
      )
      for (const type of required) whole.add(type)
      types = [...required, ...later.flatMap((type) => type ?? [])]
    }
    board.flush()
    return { how: isVaOver ? "va_over" : "done" } as End
  },
  Effect.scoped
)
