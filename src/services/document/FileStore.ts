import { Context, Effect, Exit, Layer, Option, type Scope, Stream } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import type { SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { Settings } from "../platform/Settings.ts"
import { fromDisk, toDisk } from "./DiskErrors.ts"
import { type Claimed, moveToTrash, sweepFiles, unlinkAll } from "./FileSweeper.ts"
import { makeReader, openDraft, type StoredFile } from "./SealedFile.ts"
import { storeFolders } from "./StoreFolders.ts"

/**
 * Keeps files under UPLOAD_DIR, each sealed as a stream (FileSeal.ts). A file is written in `tmp` and appears in
 * `files` whole, and on disk, or not at all. Memory is the same for every size of file.
 */
export class FileStore extends Context.Service<FileStore, {
  /** Stores `content`. Where it fails or is interrupted, nothing is left of it. */
  readonly write: <E, R>(
    content: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<StoredFile, E | StorageFull | ServiceUnavailable, R>
  /**
   * Succeeds once the file is there with its right size and an authentic beginning. The stream opens the file for
   * itself and emits authentic chunks only; the last ones come once the SHA-256 of the whole agrees.
   */
  readonly read: (
    file: StoredFile
  ) => Effect.Effect<Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>, SealBroken | ServiceUnavailable>
  /** Reads a file that stayed in `tmp`, and takes it away: it can be read until the scope closes. */
  readonly readOnce: (
    file: StoredFile
  ) => Effect.Effect<
    Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>,
    SealBroken | ServiceUnavailable,
    Scope.Scope
  >
  /** Removes what it can: what stays is swept later, once no row claims it. */
  readonly remove: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Removes what a process that writes these files has left of them, whole or not. It writes no more. */
  readonly abandon: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Moves files that no row claims any more to `trash`, as a sweep would. */
  readonly discard: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * Takes away what nobody touched for an hour and no row claims, or what was never whole; returns how many files. Whole
   * files are kept in `trash` for 7 days, and none goes where it were more than the limit that is set.
   */
  readonly sweep: (claimed: Claimed) => Effect.Effect<number>
}>()("vrss/FileStore") {
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
