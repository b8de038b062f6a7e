import { Effect, Semaphore, Stream } from "effect"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import type { StorageFull } from "../../domain/Document.ts"
import { SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import type { Bucket } from "./Bucket.ts"
import { BucketRefused, failureOf } from "./BucketErrors.ts"
import { filesIn, hide, sweepBucket } from "./BucketSweeper.ts"
import { errnoCode, fromDisk, toDisk } from "./DiskErrors.ts"
import { makeOpener } from "./FileSeal.ts"
import type { FileStorage } from "./FileStorage.ts"
import { moveToTrash, sweepFiles, unlinkAll } from "./FileSweeper.ts"
import { readOnceIn } from "./FolderStore.ts"
import { appendBlock, newStorageKey, openDraft, openSealed, type SealedBytes, type StoredFile } from "./SealedFile.ts"
import { checkedStream, openedFile } from "./SealedReading.ts"
import type { StoreFolders } from "./StoreFolders.ts"

/**
 * Files that are sent to the bucket at the same time. Each takes about two parts of memory (Bucket.ts). A client's own
 * slowness costs no part, because its file is written to `tmp` first.
 */
const sentAtOnce = 4

const longestWait = "20 seconds"

/** Bytes that one request fetches for a worker process. */
const fetched = 4 * 1024 * 1024

/**
 * Files in a bucket, under the same keys and the same seal as in a folder. UPLOAD_DIR has scratch files, and those
 * stored files that are not moved yet: they are read and removed there.
 */
export const bucketStore = Effect.fnUntraced(
  function*(bucket: Bucket, folders: StoreFolders, sweepLimitPercent: number) {
    // Worker processes finish their files in `tmp`.
    const scratch = { ...folders, files: folders.temporary }
    const places = yield* Semaphore.make(sentAtOnce)

    const send = Effect.fnUntraced(function*(storageKey: string) {
      const path = join(folders.temporary, storageKey)
      const { size } = yield* toDisk(() => Fs.stat(path))
      yield* toBucket((signal) => bucket.upload(`${filesIn}${storageKey}`, path, size, signal))
    }, inTurn(places))

    /** A file is moved to the bucket before it leaves the folder. So it is in one of them, asked in this order. */
    const open = async (storageKey: string): Promise<SealedBytes> =>
      (await unlessAbsent(openSealed(join(folders.files, storageKey)))) ?? sealedIn(bucket, storageKey)

    const fetch = Effect.fnUntraced(function*(file: StoredFile, path: string) {
      const { sealedSize } = makeOpener(file.storageKey, file.fileKey, file.byteSize)
      yield* Effect.acquireRelease(Effect.void, () => Effect.promise(() => Fs.rm(path, { force: true })))
      const sealed = yield* openedFile(open, file)
      const to = yield* Effect.acquireRelease(
        toDisk(() => Fs.open(path, "wx", 0o600)),
        (handle) => Effect.promise(() => handle.close())
      )
      for (let at = 0; at < sealedSize; at += fetched) {
        const block = yield* fromDisk(() => sealed.readAt(at, Math.min(at + fetched, sealedSize), sealedSize))
        yield* toDisk(() => appendBlock(to, block))
      }
    })

    const store: FileStorage = {
      folders: scratch,
      write: (content) =>
        Effect.acquireUseRelease(
          toDisk(() => openDraft(scratch)),
          (draft) =>
            Stream.runForEachArray(content, (pieces) => toDisk(() => draft.add(pieces))).pipe(
              Effect.andThen(toDisk(draft.end)),
              Effect.tap(({ storageKey }) => send(storageKey))
            ),
          (draft) => Effect.promise(draft.discard)
        ),
      keep: (storageKeys) =>
        Effect.forEach(storageKeys, send, { discard: true }).pipe(
          Effect.ensuring(unlinkAll(folders.temporary, storageKeys))
        ),
      lend: (files) => {
        const paths = files.map(() => join(folders.temporary, newStorageKey()))
        const fetching = Effect.forEach(files, (file, index) => fetch(file, paths[index]!), { discard: true })
        return { paths, fetch: fetching }
      },
      read: Effect.fn("FileStore.read")((file) => checkedStream(open, file)),
      readOnce: (file) => readOnceIn(folders, file),
      abandon: (storageKeys) => Effect.asVoid(unlinkAll(folders.temporary, storageKeys)),
      remove: (storageKeys) =>
        Effect.andThen(unlinkAll(folders.files, storageKeys), Effect.asVoid(hide(bucket, storageKeys))),
      discard: (storageKeys) =>
        Effect.andThen(moveToTrash(folders, storageKeys), Effect.asVoid(hide(bucket, storageKeys))),
      sweep: Effect.fn("FileStore.sweep")(function*(claimed) {
        return (yield* sweepFiles(folders, sweepLimitPercent, claimed)) +
          (yield* sweepBucket(bucket, sweepLimitPercent, claimed))
      })
    }
    return store
  }
)

const inTurn = (places: Semaphore.Semaphore) => <A, E, R>(sending: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    places.take(1).pipe(
      Effect.timeoutOrElse({
        duration: longestWait,
        orElse: () => Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
      })
    ),
    () => sending,
    () => places.release(1)
  )

const toBucket = (
  step: (signal: AbortSignal) => Promise<void>
): Effect.Effect<void, StorageFull | ServiceUnavailable> =>
  Effect.tryPromise({ try: step, catch: (error) => error as BucketRefused }).pipe(
    Effect.catch((error) => Effect.andThen(Effect.logError(error.message), Effect.fail(failureOf(error))))
  )

const unlessAbsent = (opening: Promise<SealedBytes>) =>
  opening.catch((error: unknown) => {
    // `files` is missing where nothing was ever stored in the folder.
    if (error instanceof SealBroken || errnoCode(error) === "ENOENT") return undefined
    throw error
  })

/** An object, read in ranges. A connection that breaks within one costs that range alone: it is asked for again. */
const sealedIn = (bucket: Bucket, storageKey: string): SealedBytes => ({
  readAt: async (from, to, size) => {
    const ask = () => bucket.read(`${filesIn}${storageKey}`, from, to)
    const found = await ask().catch((error: unknown) => {
      // A store that hangs is not asked again, because somebody waits.
      if (error instanceof BucketRefused && error.code !== "TimeoutError") return ask()
      throw error
    })
    if (found.size !== size) throw new SealBroken()
    return found.bytes
  },
  close: () => Promise.resolve()
})
