import { Data, Effect, Exit, identity, Layer, Schedule, Scope } from "effect"
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import type { Bucket } from "../services/document/Bucket.ts"
import { makeMark, markMoved, markName, storeIdOf } from "../services/document/StoreMark.ts"
import { UploadBucket } from "../services/document/UploadBucket.ts"
import { checkUploadBucket, checkUploadDirectory, inBucket, onDisk } from "../services/document/UploadDirectory.ts"
import { startJob } from "../services/platform/Jobs.ts"
import { Settings } from "../services/platform/Settings.ts"
import { SessionLocks } from "../sql/platform/SessionLocks.ts"

class StoresDiffer extends Data.TaggedError("StoresDiffer")<{ readonly message: string }> {}

const differs =
  "another process of this database keeps its files in another place: end all processes, then start them " +
  "with the same UPLOAD_URL, or all without it on one folder (docs/operator.md, \"Files\")"

const startsWait = Schedule.spaced("200 millis").pipe(Schedule.jittered, Schedule.upTo({ duration: "4 seconds" }))

/**
 * Keeps two processes of one database from storing files in two places, where each would miss the other's. Each holds
 * a shared lock in the name of its place, from its start on. It takes the lock again when the session was lost.
 */
const besideOthers = Effect.fnUntraced(function*(place: string) {
  const sessionLocks = yield* SessionLocks
  let held = yield* Scope.make()
  const look = Effect.gen(function*() {
    const scope = yield* Scope.make()
    const agrees = yield* sessionLocks.open.pipe(
      Effect.flatMap((locks) => locks.agree("file store", place)),
      Scope.provide(scope),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    yield* Scope.close(held, Exit.void)
    held = scope
    return agrees
  })
  yield* Effect.addFinalizer((exit) => Effect.suspend(() => Scope.close(held, exit)))
  // PostgreSQL may still see a process that has just been killed, and two that start together refuse each other.
  yield* Effect.filterOrFail(look, identity, () => new StoresDiffer({ message: differs })).pipe(
    Effect.retry(startsWait)
  )
  const run = Effect.flatMap(look, (agrees) => agrees ? Effect.void : Effect.logError(differs))
  yield* startJob({ name: "lock on the place of files", every: "10 seconds", first: "10 seconds", run })
})

/** Before anything is served, ensures that the place of files exists, is writable and belongs to this database. */
export const UploadDirectory = Layer.effectDiscard(Effect.gen(function*() {
  const { production, uploadDirectory } = yield* Settings
  const bucket = yield* UploadBucket
  // In production no folder is created: if the disk is not mounted, the service would mistake the new folder for it.
  if (!production) yield* onDisk(() => Fs.mkdir(uploadDirectory, { recursive: true, mode: 0o700 }))
  yield* bucket === undefined ? useFolder(uploadDirectory, production) : useBucket(bucket, uploadDirectory, production)
})).pipe(Layer.provide(UploadBucket.layer))

const useFolder = Effect.fnUntraced(function*(root: string, production: boolean) {
  const { holds, id } = yield* checkUploadDirectory(root, production)
  yield* besideOthers(`UPLOAD_DIR ${yield* onDisk(() => storeIdOf(root))}`)
  if (holds === "mark") return
  yield* onDisk(() => makeMark(root, id))
  // Another process that started at the same time may have made the mark first.
  yield* checkUploadDirectory(root, production)
})

const useBucket = Effect.fnUntraced(function*(bucket: Bucket, root: string, production: boolean) {
  const { id, left, local, store } = yield* checkUploadBucket(bucket, root, production)
  if (store === undefined) yield* inBucket(() => bucket.create(markName, `${id} ${randomUUID()}\n`))
  const known = store ?? (yield* checkUploadBucket(bucket, root, production)).store ?? ""
  yield* besideOthers(`${bucket.name} ${known}`)
  // No process uses the folder alone any more, so that the files in it may be moved.
  if (left && local?.more === undefined) yield* onDisk(() => markMoved(root, id, bucket.name))
})
