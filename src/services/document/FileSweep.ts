import { Effect } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import type { Job } from "../platform/Jobs.ts"
import { Settings } from "../platform/Settings.ts"
import { fromDisk } from "./DiskErrors.ts"
import { FileStore } from "./FileStore.ts"
import { markName, markOf, readMark } from "./StoreMark.ts"
import { UploadBucket } from "./UploadBucket.ts"

/**
 * Removes files without a row. A file has no row if a process ended between writing the file and the row. The first
 * sweep is an hour after the start, so that a misconfigured process can be stopped first.
 */
export const fileSweep = Effect.gen(function*() {
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
  const run = Effect.catchCause(
    sweep,
    (cause) => Effect.logWarning("files without a row could not be swept", cause)
  )
  return { name: "sweep of files", every: "1 hour", first: "1 hour", run } satisfies Job
})
