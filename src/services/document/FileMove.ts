import { Data, Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { SealBroken } from "../../domain/Errors.ts"
import type { Bucket } from "./Bucket.ts"
import { BucketRefused } from "./BucketErrors.ts"
import { reasonOf } from "./BucketProbe.ts"
import { filesIn } from "./BucketSweeper.ts"
import { errnoCode } from "./DiskErrors.ts"
import { storedNames, storeFolders } from "./StoreFolders.ts"
import { markName, markOf, readMark } from "./StoreMark.ts"

export class MoveFailed
  extends Data.TaggedError("MoveFailed")<{ readonly message: string; readonly again?: boolean }>
{}

/** Files that are moved at the same time. */
const atOnce = 4

/** Bytes that one request reads back. */
const block = 4 * 1024 * 1024

/** A line of progress follows this many files. */
const perLine = 100

/** Tries for one file. The program can be started again, too. */
const tries = 3

/**
 * Moves the files of a folder to a bucket while processes with UPLOAD_URL serve them from both. Each object is read
 * back and compared before its file is unlinked. So a file is always in one of the two, and the move may end anywhere.
 */
export const moveFiles = Effect.fnUntraced(
  function*(root: string, bucket: Bucket, say: (line: string) => Effect.Effect<void>) {
    yield* belongTogether(root, bucket)
    const { files } = storeFolders(root)
    const names = yield* toMove(files)
    yield* say(`${names.length} files to move from ${root} to ${bucket.name}`)
    let [done, bytes] = [0, 0]
    yield* Stream.fromIterable(names).pipe(
      Stream.mapEffect(
        (name) =>
          Effect.tryPromise({
            try: () => moved(join(files, name), bucket, name),
            catch: (error) =>
              new MoveFailed({
                message: `${sentenceOf(error)}: start again, it goes on here`,
                again: error instanceof BucketRefused
              })
          }).pipe(Effect.retry({ times: tries - 1, while: ({ again }) => again === true })),
        { concurrency: atOnce, unordered: true }
      ),
      Stream.runForEach((size) => {
        done++
        bytes += size
        return done % perLine === 0 ? say(`${done} of ${names.length} files, ${mebibytes(bytes)} MiB`) : Effect.void
      })
    )
    const left = yield* toMove(files)
    if (left.length > 0) {
      return yield* new MoveFailed({
        message: `${left.length} files came to the folder meanwhile: a process runs without UPLOAD_URL`
      })
    }
    yield* say(
      `${done} files, ${mebibytes(bytes)} MiB, are in ${bucket.name}, read back and equal. The folder has none.`
    )
  }
)

const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)

const sentenceOf = (error: unknown) =>
  error instanceof BucketRefused
    ? `the bucket ${reasonOf(error)}`
    : error instanceof SealBroken
    ? "the bucket gives back other bytes than it was given"
    : `a file cannot be read or removed (${errnoCode(error) ?? "unknown"})`

/** A start of the service with UPLOAD_URL marks both. Without it, no process would find what was moved. */
const belongTogether = Effect.fnUntraced(function*(root: string, bucket: Bucket) {
  const [here, there] = yield* Effect.tryPromise({
    try: () => Promise.all([readMark(root), bucket.text(markName)]),
    catch: (error) => new MoveFailed({ message: sentenceOf(error) })
  })
  if (here === undefined) return yield* new MoveFailed({ message: `${root} has no ${markName}: it is no UPLOAD_DIR` })
  if (there === undefined || here.more !== bucket.name || markOf(there).id !== here.id) {
    return yield* new MoveFailed({
      message: `the folder and the bucket do not belong together: end all processes of the service, start them with ` +
        `UPLOAD_URL=${bucket.name} and this UPLOAD_DIR, and then move the files while they serve`
    })
  }
})

const toMove = (files: string) =>
  Effect.tryPromise({
    try: () =>
      Array.fromAsync(storedNames(files)).catch((error: unknown) => {
        if (errnoCode(error) === "ENOENT") return []
        throw error
      }),
    catch: (error) => new MoveFailed({ message: sentenceOf(error) })
  })

/** Returns the file's size, or 0 if the service removed it meanwhile. */
const moved = async (path: string, bucket: Bucket, name: string): Promise<number> => {
  try {
    const key = `${filesIn}${name}`
    const { size } = await Fs.stat(path)
    const digest = await digestOf(path)
    // An earlier run may have been killed after it had sent the file.
    const isThere = await bucket.sizeOf(key) === size && digest.equals(await digestIn(bucket, key, size))
    if (!isThere) {
      await bucket.upload(key, path, size)
      if (!digest.equals(await digestIn(bucket, key, size))) throw new SealBroken()
    }
    // If the service removed the file meanwhile, the object has no row, and the sweep removes it.
    await Fs.unlink(path)
    return size
  } catch (error) {
    if (errnoCode(error) === "ENOENT" || (error instanceof BucketRefused && error.code === "ENOENT")) return 0
    throw error
  }
}

const digestOf = async (path: string) => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest()
}

const digestIn = async (bucket: Bucket, key: string, size: number) => {
  const hash = createHash("sha256")
  for (let at = 0; at < size; at += block) {
    const read = await bucket.read(key, at, Math.min(at + block, size))
    if (read.size !== size) throw new SealBroken()
    hash.update(read.bytes)
  }
  return hash.digest()
}
