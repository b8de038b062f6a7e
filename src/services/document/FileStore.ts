import { Context, Effect, Layer, type Scope, type Stream } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import type { SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { Settings } from "../platform/Settings.ts"
import { bucketStore } from "./BucketStore.ts"
import type { FindClaimed } from "./FileSweeper.ts"
import { folderStore } from "./FolderStore.ts"
import type { StoredFile } from "./SealedFile.ts"
import { type StoreFolders, storeFolders } from "./StoreFolders.ts"
import { UploadBucket } from "./UploadBucket.ts"

/**
 * Files under UPLOAD_DIR, or in the bucket of UPLOAD_URL, each encrypted as a stream (FileSeal.ts). A file appears only
 * when it is complete. Memory use does not depend on the file's size.
 */
export class FileStore extends Context.Service<FileStore, {
  /** Stores `content`. A failed or interrupted write leaves no file. */
  readonly write: <E, R>(
    content: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<StoredFile, E | StorageFull | ServiceUnavailable, R>
  /**
   * Succeeds if the file has the right size and an authentic beginning. The stream opens the file again and emits only
   * authentic chunks. It emits the last block only after it has checked the SHA-256 of the whole file.
   */
  readonly read: (
    file: StoredFile
  ) => Effect.Effect<Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>, SealBroken | ServiceUnavailable>
  /** Where worker processes write their files. They reach no bucket. */
  readonly folders: StoreFolders
  /** Stores the files that a worker process has finished in `folders`. */
  readonly keep: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void, StorageFull | ServiceUnavailable>
  /** Lends files to a worker process: it finds them under `paths`, from `fetch` until the scope closes. */
  readonly lend: (files: ReadonlyArray<StoredFile>) => {
    readonly paths: ReadonlyArray<string>
    readonly fetch: Effect.Effect<void, SealBroken | ServiceUnavailable | StorageFull, Scope.Scope>
  }
  /** Reads a file in `tmp` once: it is unlinked immediately, and can be read until the scope closes. */
  readonly readOnce: (
    file: StoredFile
  ) => Effect.Effect<
    Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>,
    SealBroken | ServiceUnavailable,
    Scope.Scope
  >
  /** Removes files. Those that it cannot remove are swept later, once no row claims them. */
  readonly remove: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Removes the files, complete or not, of a worker process that has ended. */
  readonly abandon: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Moves files that no row claims to `trash`, as a sweep would. */
  readonly discard: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * Removes unfinished files. Moves complete files to `trash` if they are at least an hour old and unclaimed. They stay
   * there for 7 days. If more files than the configured limit would be moved, none is. Returns the number of files that
   * were removed as unfinished or moved.
   */
  readonly sweep: (claimed: FindClaimed) => Effect.Effect<number>
}>()("vrss/services/document/FileStore") {
  static readonly layer = Layer.effect(
    FileStore,
    Effect.gen(function*() {
      const { sweepLimitPercent, uploadDirectory } = yield* Settings
      const bucket = yield* UploadBucket
      const folders = storeFolders(uploadDirectory)
      return bucket === undefined
        ? folderStore(folders, sweepLimitPercent)
        : yield* bucketStore(bucket, folders, sweepLimitPercent)
    })
  ).pipe(Layer.provide(UploadBucket.layer))
}
