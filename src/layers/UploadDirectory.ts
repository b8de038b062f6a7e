import { Data, Effect, identity, Layer, Stream } from "effect"
import * as Fs from "node:fs/promises"
import { errnoCode } from "../services/document/DiskErrors.ts"
import { checkWritable, storedNames, storeFolders } from "../services/document/StoreFolders.ts"
import { makeMark, markName, readMark } from "../services/document/StoreMark.ts"
import { Settings } from "../services/platform/Settings.ts"
import { SharedConnections } from "../sql/Connections.ts"
import * as StoredFileRepository from "../sql/document/StoredFileRepository.ts"

export class UploadDirectoryUnusable extends Data.TaggedError("UploadDirectoryUnusable")<{ readonly code: string }> {
  override get message() {
    return this.code === "ENOENT"
      ? "UPLOAD_DIR is missing: its disk may not be mounted. Production never makes it; for a first start, make an empty folder"
      : `UPLOAD_DIR names a folder that cannot be made or written to (${this.code})`
  }
}

/** The message says in one sentence what does not match and what to do. */
export class UploadDirectoryRefused extends Data.TaggedError("UploadDirectoryRefused")<{ readonly message: string }> {}

const together = `configure the folder and the database that belong together (docs/operator.md, "Files")`

/** Before anything is served, the folder of uploaded files must exist, be writable and belong to this database. */
export const UploadDirectory = Layer.effectDiscard(Effect.gen(function*() {
  const { production, uploadDirectory } = yield* Settings
  const { claimed, store } = StoredFileRepository.make(yield* SharedConnections)
  yield* onDisk(async () => {
    // In production a new folder at the mount point of a missing disk would hide that disk's files.
    if (!production) await Fs.mkdir(uploadDirectory, { recursive: true, mode: 0o700 })
    await checkWritable(uploadDirectory)
  })
  const { id, used } = yield* store
  if ((yield* onDisk(() => readMark(uploadDirectory))) === undefined) {
    const holding = yield* holds(uploadDirectory, claimed)
    if (holding === "others") {
      const message = `UPLOAD_DIR holds files, of which this database knows none: ${together}`
      return yield* new UploadDirectoryRefused({ message })
    }
    // Outside production a database may be used with different folders.
    if (holding === "nothing" && used && production) {
      const message = `UPLOAD_DIR is empty, but this database has files: mount its disk, or ${together}`
      return yield* new UploadDirectoryRefused({ message })
    }
    yield* onDisk(() => makeMark(uploadDirectory, id))
  }
  // Read again, because another process that started at the same time may have written the mark.
  const mark = yield* onDisk(() => readMark(uploadDirectory))
  if (mark !== id) {
    const other = /^[0-9a-f-]{36}$/.test(mark ?? "") ? mark : "no id"
    const message =
      `UPLOAD_DIR is of another database (its file ${markName} says ${other}, this one's id is ${id}): ${together}`
    return yield* new UploadDirectoryRefused({ message })
  }
}))

/** File names are random, so a single file claimed by a row shows that the folder belongs to this database. */
const holds = (root: string, claimed: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>) =>
  Stream.fromAsyncIterable(storedNames(storeFolders(root).files), identity).pipe(
    Stream.grouped(500),
    Stream.mapEffect((names) => Effect.map(claimed(names), ({ length }) => length > 0 ? "ours" : "others")),
    Stream.takeUntil((found) => found === "ours"),
    Stream.runFold(() => "nothing", (_, found) => found),
    Effect.catch((error) => errnoCode(error) === "ENOENT" ? Effect.succeed("nothing") : Effect.fail(unusable(error)))
  )

const onDisk = <A>(step: () => Promise<A>) => Effect.tryPromise({ try: step, catch: unusable })

const unusable = (error: unknown) => new UploadDirectoryUnusable({ code: errnoCode(error) ?? "no folder" })
