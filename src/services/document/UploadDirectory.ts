import { Data, Effect, Stream } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import type { Bucket } from "./Bucket.ts"
import { BucketRefused } from "./BucketErrors.ts"
import { filesIn, isStored } from "./BucketSweeper.ts"
import { errnoCode } from "./DiskErrors.ts"
import type { FindClaimed } from "./FileSweeper.ts"
import { checkWritable, storedNames, storeFolders } from "./StoreFolders.ts"
import { markName, markOf, readMark } from "./StoreMark.ts"

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

const refused = (message: string) => new UploadDirectoryRefused({ message: `${message}${together}` })

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
  if (mark !== undefined) {
    yield* ofDatabase("UPLOAD_DIR", mark.id, id)
    if (mark.more === undefined) return { id, holds: "mark" as const }
    return yield* refused(`the files of UPLOAD_DIR are in a bucket now: set UPLOAD_URL=${printable(mark.more)}, or `)
  }
  const holds = yield* heldWithoutMark(root, claimed)
  if (holds === "others") return yield* refused("UPLOAD_DIR holds files, of which this database knows none: ")
  // Outside production this is no error: a database may be used with one folder today and another tomorrow.
  if (holds === "nothing" && used && production) {
    return yield* refused("UPLOAD_DIR is empty, but this database has files: mount its disk, or ")
  }
  return { id, holds }
})

const printable = (text: string) => text.slice(0, 200).replace(/[^\x21-\x7e]/g, "?")

const ofDatabase = (place: "UPLOAD_DIR" | "UPLOAD_URL", found: string, id: string) =>
  found === id
    ? Effect.void
    : refused(
      `${place} is of another database (its file ${markName} says ${
        /^[0-9a-f-]{36}$/.test(found) ? found : "no id"
      }, this one's id is ${id}): `
    )

/**
 * Refuses a bucket that is unusable or belongs to another database, and a folder for scratch files with another's
 * files. It writes nothing. `store` is the bucket's own id, or undefined as long as it has no mark. `left` says whether
 * the folder has files of this database, which are still to be moved.
 */
export const checkUploadBucket = Effect.fnUntraced(function*(bucket: Bucket, root: string, production: boolean) {
  const { claimed, store } = StoredFileRepository.make(yield* SharedConnections)
  yield* onDisk(() => checkWritable(root))
  const { id, used } = yield* store
  const local = yield* onDisk(() => readMark(root))
  if (local !== undefined) {
    yield* ofDatabase("UPLOAD_DIR", local.id, id)
    if (local.more !== undefined && local.more !== bucket.name) {
      return yield* refused(
        `the files of UPLOAD_DIR are in ${printable(local.more)}, and UPLOAD_URL names ${bucket.name}: `
      )
    }
  }
  const left = local === undefined ? yield* heldWithoutMark(root, claimed) : "ours"
  if (left === "others") return yield* refused("UPLOAD_DIR holds files, of which this database knows none: ")
  const text = yield* inBucket(() => bucket.text(markName))
  const found = { id, local, left: left === "ours" }
  if (text !== undefined) {
    const mark = markOf(text)
    yield* ofDatabase("UPLOAD_URL", mark.id, id)
    return { ...found, store: mark.more ?? "" }
  }
  const holds = yield* heldIn(pagesOf(bucket), claimed, (error) => new UploadBucketUnusable({ code: codeOf(error) }))
  if (holds === "others") {
    return yield* refused("UPLOAD_URL names a bucket with files, of which this database knows none: ")
  }
  if (holds === "nothing" && left === "nothing" && used && production) {
    return yield* refused("the bucket of UPLOAD_URL is empty, but this database has files: ")
  }
  return { ...found, store: undefined }
})

export class UploadBucketUnusable extends Data.TaggedError("UploadBucketUnusable")<{ readonly code: string }> {
  override get message() {
    return `the bucket of UPLOAD_URL cannot be used (${this.code})`
  }
}

const codeOf = (error: unknown) => error instanceof BucketRefused ? error.code : "no object store"

export const inBucket = <A>(step: () => Promise<A>) =>
  Effect.tryPromise({ try: step, catch: (error) => new UploadBucketUnusable({ code: codeOf(error) }) })

const pagesOf = async function*(bucket: Bucket) {
  for await (const page of bucket.objects(filesIn)) yield page.filter(isStored).map(({ key }) => key)
}

const heldWithoutMark = (root: string, claimed: FindClaimed) =>
  heldIn(pagesIn(root), claimed, (error) => error).pipe(
    Effect.catch((error) =>
      errnoCode(error) === "ENOENT" ? Effect.succeed("nothing" as const) : Effect.fail(unusable(error))
    )
  )

const pagesIn = async function*(root: string) {
  let page: Array<string> = []
  for await (const name of storedNames(storeFolders(root).files)) {
    if (page.push(name) < 500) continue
    yield page
    page = []
  }
  yield page
}

/** File names are random. One name that a row claims therefore shows that the files were stored for this database. */
const heldIn = <E>(
  pages: AsyncIterable<ReadonlyArray<string>>,
  claimed: FindClaimed,
  failed: (error: unknown) => E
): Effect.Effect<"nothing" | "ours" | "others", E> =>
  Stream.fromAsyncIterable(pages, failed).pipe(
    Stream.filter((names) => names.length > 0),
    Stream.mapEffect((names) => Effect.map(claimed(names), ({ length }) => length > 0 ? "ours" : "others")),
    Stream.takeUntil((holder) => holder === "ours"),
    Stream.runFold((): "nothing" | "ours" | "others" => "nothing", (_, holder) => holder)
  )
