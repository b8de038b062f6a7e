import { Data, Effect, identity, Stream } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import { errnoCode } from "./DiskErrors.ts"
import { checkWritable, storedNames, storeFolders } from "./StoreFolders.ts"
import { markName, readMark } from "./StoreMark.ts"

export class UploadDirectoryUnusable extends Data.TaggedError("UploadDirectoryUnusable")<{ readonly code: string }> {
  override get message() {
    return this.code === "ENOENT"
      ? "UPLOAD_DIR is missing: its disk may not be mounted. Production never makes it; for a first start, make an empty folder"
      : `UPLOAD_DIR names a folder that cannot be made or written to (${this.code})`
  }
}

/** The message is one sentence: how folder and database do not fit together, and what to do. */
export class UploadDirectoryRefused extends Data.TaggedError("UploadDirectoryRefused")<{ readonly message: string }> {}

const together = `configure the folder and the database that belong together (docs/operator.md, "Files")`

/** Fails with only the errno code, because the system's message names paths below UPLOAD_DIR. */
export const onDisk = <A>(step: () => Promise<A>) => Effect.tryPromise({ try: step, catch: unusable })

const unusable = (error: unknown) => new UploadDirectoryUnusable({ code: errnoCode(error) ?? "no folder" })

/**
 * Refuses a folder that is unusable or belongs to another database, and writes nothing. The service calls this when it
 * starts; the doctor calls it too. `holds` says what the folder has: this database's mark, only its files, or nothing.
 */
export const checkUploadDirectory = Effect.fnUntraced(function*(root: string, production: boolean) {
  const { claimed, store } = StoredFileRepository.make(yield* SharedConnections)
  yield* onDisk(() => checkWritable(root))
  const { id, used } = yield* store
  const mark = yield* onDisk(() => readMark(root))
  const refused = (message: string) => new UploadDirectoryRefused({ message: `${message}${together}` })
  if (mark === id) return { id, holds: "mark" as const }
  if (mark !== undefined) {
    const other = /^[0-9a-f-]{36}$/.test(mark) ? mark : "no id"
    return yield* refused(
      `UPLOAD_DIR is of another database (its file ${markName} says ${other}, this one's id is ${id}): `
    )
  }
  const holds = yield* heldWithoutMark(root, claimed)
  if (holds === "others") return yield* refused("UPLOAD_DIR holds files, of which this database knows none: ")
  // Outside production this is no error: a database may be used with one folder today and another tomorrow.
  if (holds === "nothing" && used && production) {
    return yield* refused("UPLOAD_DIR is empty, but this database has files: mount its disk, or ")
  }
  return { id, holds }
})

/** File names are random. One name that a row claims therefore shows that the files were stored for this database. */
const heldWithoutMark = (
  root: string,
  claimed: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
) =>
  Stream.fromAsyncIterable(storedNames(storeFolders(root).files), identity).pipe(
    Stream.grouped(500),
    Stream.mapEffect((names) => Effect.map(claimed(names), ({ length }) => length > 0 ? "ours" : "others")),
    Stream.takeUntil((holder) => holder === "ours"),
    Stream.runFold((): "nothing" | "ours" | "others" => "nothing", (_, holder) => holder),
    Effect.catch((error) =>
      errnoCode(error) === "ENOENT" ? Effect.succeed("nothing" as const) : Effect.fail(unusable(error))
    )
  )
