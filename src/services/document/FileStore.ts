import { Context, Effect, Exit, Layer, Option, type Scope, Stream } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import type { SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { Settings } from "../platform/Settings.ts"
import { fromDisk, toDisk } from "./DiskErrors.ts"
import { type FindClaimed, moveToTrash, sweepFiles, unlinkAll } from "./FileSweeper.ts"
import { makeReader, openDraft, type StoredFile } from "./SealedFile.ts"
import { storeFolders } from "./StoreFolders.ts"

/**
 * Files under UPLOAD_DIR, each encrypted as a stream (FileSeal.ts). A file is written in `tmp` and appears in `files`
 * only when it is complete and synced to disk. Memory use does not depend on the file's size.
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
    Effect.map(Settings, ({ sweepLimitPercent, uploadDirectory }) => {
      const folders = storeFolders(uploadDirectory)
      const opened = (reader: ReturnType<typeof makeReader>) =>
        Effect.acquireRelease(fromDisk(reader.open), (handle) => Effect.promise(() => handle.close()))
      const running = (reader: ReturnType<typeof makeReader>, handle: Effect.Success<ReturnType<typeof opened>>) => {
        const step = reader.run(handle)
        return Stream.paginate(
          0,
          (first) =>
            Effect.map(fromDisk(() => step(first)), ({ block, next }) => [block, Option.fromUndefinedOr(next)] as const)
        )
      }
      return FileStore.of({
        write: (content) =>
          Effect.acquireUseRelease(
            toDisk(() => openDraft(folders)),
            (draft) =>
              Stream.runForEachArray(content, (pieces) => toDisk(() => draft.add(pieces))).pipe(
                Effect.andThen(toDisk(draft.finish))
              ),
            (draft, exit) => Exit.isSuccess(exit) ? Effect.void : Effect.promise(draft.discard)
          ),
        read: Effect.fn("FileStore.read")(function*(file) {
          const reader = makeReader(folders.files, file)
          yield* Effect.scoped(Effect.flatMap(opened(reader), (handle) => fromDisk(() => reader.chunks(handle, 0, 1))))
          return Stream.unwrap(Effect.map(opened(reader), (handle) => running(reader, handle)))
        }),
        readOnce: Effect.fn("FileStore.readOnce")(function*(file) {
          const reader = makeReader(folders.temporary, file)
          const handle = yield* opened(reader)
          yield* unlinkAll(folders.temporary, [file.storageKey])
          return running(reader, handle)
        }),
        abandon: (storageKeys) =>
          Effect.asVoid(
            Effect.forEach([folders.temporary, folders.files], (folder) => unlinkAll(folder, storageKeys))
          ),
        remove: (storageKeys) => Effect.asVoid(unlinkAll(folders.files, storageKeys)),
        discard: (storageKeys) => Effect.asVoid(moveToTrash(folders, storageKeys)),
        sweep: Effect.fn("FileStore.sweep")((claimed) => sweepFiles(folders, sweepLimitPercent, claimed))
      })
    })
  )
}
