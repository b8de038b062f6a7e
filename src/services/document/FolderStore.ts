import { Effect, Exit, Stream } from "effect"
import { join } from "node:path"
import { toDisk } from "./DiskErrors.ts"
import type { FileStorage } from "./FileStorage.ts"
import { moveToTrash, sweepFiles, unlinkAll } from "./FileSweeper.ts"
import { openDraft, openSealed } from "./SealedFile.ts"
import { authenticStream, checkedStream, openedFile } from "./SealedReading.ts"
import type { StoreFolders } from "./StoreFolders.ts"

/** Files under UPLOAD_DIR. A file is written in `tmp` and appears in `files` once it is complete and synced to disk. */
export const folderStore = (folders: StoreFolders, sweepLimitPercent: number): FileStorage => {
  const inFiles = (storageKey: string) => openSealed(join(folders.files, storageKey))
  return {
    folders,
    keep: () => Effect.void,
    lend: (files) => ({
      paths: files.map(({ storageKey }) => join(folders.files, storageKey)),
      fetch: Effect.void
    }),
    write: (content) =>
      Effect.acquireUseRelease(
        toDisk(() => openDraft(folders)),
        (draft) =>
          Stream.runForEachArray(content, (pieces) => toDisk(() => draft.add(pieces))).pipe(
            Effect.andThen(toDisk(draft.finish))
          ),
        (draft, exit) => Exit.isSuccess(exit) ? Effect.void : Effect.promise(draft.discard)
      ),
    read: Effect.fn("FileStore.read")((file) => checkedStream(inFiles, file)),
    readOnce: (file) => readOnceIn(folders, file),
    abandon: (storageKeys) =>
      Effect.asVoid(Effect.forEach([folders.temporary, folders.files], (folder) => unlinkAll(folder, storageKeys))),
    remove: (storageKeys) => Effect.asVoid(unlinkAll(folders.files, storageKeys)),
    discard: (storageKeys) => Effect.asVoid(moveToTrash(folders, storageKeys)),
    sweep: Effect.fn("FileStore.sweep")((claimed) => sweepFiles(folders, sweepLimitPercent, claimed))
  }
}

export const readOnceIn = Effect.fn("FileStore.readOnce")(
  function*({ temporary }: StoreFolders, file: Parameters<FileStorage["readOnce"]>[0]) {
    const sealed = yield* openedFile((storageKey) => openSealed(join(temporary, storageKey)), file)
    yield* unlinkAll(temporary, [file.storageKey])
    return authenticStream(file, sealed)
  }
)
