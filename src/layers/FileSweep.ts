import { Effect, Layer, Schedule } from "effect"
import { fromDisk } from "../services/document/DiskErrors.ts"
import { FileStore } from "../services/document/FileStore.ts"
import { markName, markOf, readMark } from "../services/document/StoreMark.ts"
import { UploadBucket } from "../services/document/UploadBucket.ts"
import { Settings } from "../services/platform/Settings.ts"
import { SharedConnections } from "../sql/Connections.ts"
import * as StoredFileRepository from "../sql/document/StoredFileRepository.ts"

/**
 * Every hour, removes files without a row. A file has no row if a process ended between writing the file and the row.
 * The first sweep is an hour after the start, so that a misconfigured process can be stopped first.
 */
export const FileSweep = Layer.effectDiscard(Effect.gen(function*() {
  const files = yield* FileStore
  const { uploadDirectory } = yield* Settings
  const bucket = yield* UploadBucket
  const { claimed, store } = StoredFileRepository.make(yield* SharedConnections)
  const sweep = Effect.gen(function*() {
    const { id } = yield* store
    // The disk or the database may have been replaced since the start.
    const local = yield* fromDisk(() => readMark(uploadDirectory))
    const text = bucket && (yield* fromDisk(() => bucket.text(markName)))
    const place = bucket === undefined || (local ?? { id }).id !== id ? "directory" : "bucket"
    const mark = place === "directory" ? local : text === undefined ? undefined : markOf(text)
    if (mark?.id !== id) {
      return yield* Effect.logError(`upload ${place}: ${markName} is not this database's, nothing is swept`)
    }
    const swept = yield* files.sweep(claimed)
    if (swept > 0) yield* Effect.logInfo(`swept ${swept} files without a row`)
  })
  yield* sweep.pipe(
    Effect.catchCause((cause) => Effect.logWarning("files without a row could not be swept", cause)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.delay("1 hour"),
    Effect.forkScoped
  )
})).pipe(Layer.provide(UploadBucket.layer))
