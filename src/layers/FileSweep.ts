import { Effect, Layer, Schedule } from "effect"
import { FileStore } from "../services/document/FileStore.ts"
import { SharedConnections } from "../sql/Connections.ts"
import * as StoredFileRepository from "../sql/document/StoredFileRepository.ts"

/**
 * Removes at start and every hour the files that no row needs: a process that ended between writing a file and its row left
 * them.
 */
export const FileSweep = Layer.effectDiscard(Effect.gen(function*() {
  const files = yield* FileStore
  const { claimed } = StoredFileRepository.make(yield* SharedConnections)
  yield* files.sweep(claimed).pipe(
    Effect.tap((removed) => removed === 0 ? Effect.void : Effect.logInfo(`removed ${removed} files without a row`)),
    Effect.catchCause((cause) => Effect.logWarning("files without a row could not be swept", cause)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
}))
