import { assert } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer, Logger, Stream } from "effect"
import { TestClock } from "effect/testing"
import { createHash, randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Bucket } from "../../../src/services/document/Bucket.ts"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import type { StoredFile } from "../../../src/services/document/SealedFile.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import type { BucketServer } from "../../support/BucketServers.ts"

/** Helpers for the tests of stored files. */

export const chunk = 64 * 1024

export const sealedChunk = chunk + 16

export const header = "vrss-file/1\n"

const storeIn = (directory: string, environment: Record<string, string> = {}) =>
  // The layer is fresh, because layers are shared by reference and each test has another folder.
  Layer.fresh(FileStore.layer.pipe(
    Layer.provide(Settings.layer),
    Layer.provide(
      ConfigProvider.layer(ConfigProvider.fromUnknown({
        APP_ENV: "test",
        DATABASE_URL: "postgres://nobody@localhost/none",
        UPLOAD_DIR: directory,
        ...environment
      }))
    )
  ))

export type Test<Eff extends Effect.Effect<any, any, FileStore>, A> = (folder: Folder) => Generator<Eff, A, never>

/** Runs a test on a store with its files in this directory, and collects what it logs. */
export const withStore = <Eff extends Effect.Effect<any, any, FileStore>, A>(
  directory: string,
  test: Test<Eff, A>,
  environment: Record<string, string> = {}
) => {
  const folder = folderAt(directory)
  const logger = Logger.make(({ logLevel, message }) => void folder.lines.push(`${logLevel}: ${message}`))
  const store = Layer.mergeAll(storeIn(directory, environment), Logger.layer([logger]))
  return Effect.gen(() => test(folder)).pipe(Effect.provide(store))
}

export const inFolder = <Eff extends Effect.Effect<any, any, FileStore>, A>(
  test: Test<Eff, A>,
  environment: Record<string, string> = {}
) => withFolder((directory) => withStore(directory, test, environment))

export type Folder = ReturnType<typeof folderAt>

/** A store with its stored bytes, as somebody may find or change them. */
export type Stored = Pick<Folder, "lose" | "names" | "replace" | "sealed" | "open" | "directory">

export type InStore = <Eff extends Effect.Effect<any, any, FileStore>, A>(
  test: (store: Stored) => Generator<Eff, A, never>,
  environment?: Record<string, string>
) => Effect.Effect<A, any, any>

const withFolder = <A, E, R>(use: (directory: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => Fs.mkdtemp(join(tmpdir(), "vrss-files-"))),
    (parent) => Effect.andThen(Effect.promise(() => Fs.mkdir(join(parent, "uploads"))), use(join(parent, "uploads"))),
    (parent) => Effect.promise(() => Fs.rm(parent, { recursive: true, force: true }))
  )

/** Runs a test on a store in a bucket, each under its own prefix. */
export const inBucketOf = (server: () => BucketServer): InStore => (test, environment = {}) =>
  withFolder((directory) => {
    const prefix = `tests/${randomUUID()}`
    const at = server().environment
    const within = storeIn(directory, { ...at, UPLOAD_URL: `${at.UPLOAD_URL}/${prefix}`, ...environment })
    return Effect.gen(function*() {
      const bucket = yield* Effect.promise(() => server().open(prefix))
      return yield* Effect.gen(() => test(bucketAt(bucket, folderAt(directory))))
    }).pipe(Effect.provide(within)) as Effect.Effect<any>
  })

const bucketAt = ({ objects, read, remove, sizeOf, upload }: Bucket, folder: Folder): Stored => {
  const key = (file: StoredFile) => `files/${file.storageKey}`
  return {
    ...folder,
    names: (under) =>
      under === "tmp"
        ? folder.names("tmp")
        : Effect.promise(async () => (await Array.fromAsync(objects(`${under}/`))).flat().map(({ key }) => key)),
    lose: (file) => Effect.promise(() => remove(key(file))),
    sealed: (file) => Effect.promise(async () => (await read(key(file), 0, (await sizeOf(key(file)))!)).bytes),
    replace: (file, bytes) =>
      Effect.promise(async () => {
        const path = join(folder.directory, "replacement")
        await Fs.writeFile(path, bytes)
        await upload(key(file), path, bytes.length)
      })
  }
}

const folderAt = (directory: string) => {
  const path = (file: StoredFile) => join(directory, "files", file.storageKey)
  return {
    directory,
    path,
    /** The lines logged until now. */
    lines: [] as Array<string>,
    names: (folder: "tmp" | "files" | "trash") =>
      Effect.promise(() => Fs.readdir(join(directory, folder)).catch(() => [] as Array<string>)),
    lose: (file: StoredFile) => Effect.promise(() => Fs.unlink(path(file))),
    sealed: (file: StoredFile) => Effect.promise(() => Fs.readFile(path(file))),
    replace: (file: StoredFile, bytes: Uint8Array) =>
      Effect.promise(async () => {
        await Fs.unlink(path(file))
        await Fs.writeFile(path(file), bytes)
      }),
    /** Returns this process's open files below the folder. */
    open: Effect.promise(async () => {
      const links = (await Fs.readdir("/proc/self/fd")).map((fd) => Fs.readlink(`/proc/self/fd/${fd}`).catch(() => ""))
      return (await Promise.all(links)).filter((target) => target.startsWith(directory))
    })
  }
}

/** Makes bytes without a pattern, the same for the same seed. */
export const bytesOf = (size: number, seed = "seed") =>
  createHash("shake256", { outputLength: size }).update(seed).digest()

export const piecesOf = (bytes: Uint8Array, ...sizes: ReadonlyArray<number>) => {
  const pieces: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.subarray(at, at + sizes[pieces.length % sizes.length]!)
    pieces.push(piece)
    at += piece.length
  }
  return pieces
}

export const write = (bytes: Uint8Array, ...sizes: ReadonlyArray<number>) =>
  FileStore.use((store) => store.write(Stream.fromArray(piecesOf(bytes, ...sizes, 100_000))))

/** Returns what arrived before the end, and whether the end was a failure. */
export const read = Effect.fnUntraced(function*(file: StoredFile, between: Effect.Effect<void> = Effect.void) {
  const pieces: Array<Uint8Array> = []
  const exit = yield* FileStore.use((store) => store.read(file)).pipe(
    Effect.tap(between),
    Effect.flatMap(Stream.runForEach((piece) => Effect.sync(() => pieces.push(piece)))),
    Effect.exit
  )
  return { pieces, bytes: Buffer.concat(pieces), exit }
})

export const assertReads = Effect.fnUntraced(function*(file: StoredFile, bytes: Uint8Array) {
  const { bytes: out, exit, pieces } = yield* read(file)
  assert.deepStrictEqual(exit, Exit.void)
  assert.isTrue(out.equals(bytes))
  for (const piece of pieces) assert.isAtMost(piece.length, chunk)
})

export const assertBroken = Effect.fnUntraced(
  function*(what: string, file: StoredFile, bytes: Buffer, between?: Effect.Effect<void>) {
    const { bytes: out, exit } = yield* read(file, between)
    assert.isTrue(Exit.isFailure(exit), `${what}: read to its end`)
    assert.match(String(Exit.isFailure(exit) && exit.cause), /SealBroken/, what)
    assert.isTrue(out.equals(bytes.subarray(0, out.length)), `${what}: other bytes`)
    assert.strictEqual(out.length % chunk, 0, `${what}: within a chunk`)
    assert.isBelow(out.length, Math.max(1, bytes.length), `${what}: nothing held back`)
    return out.length
  }
)

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest()

export const failure = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** Stores files, and lets two hours pass. */
export const stored = Effect.fnUntraced(function*(count: number) {
  yield* TestClock.setTime(Date.now())
  const files: Array<StoredFile> = []
  for (let n = 0; n < count; n++) files.push(yield* write(bytesOf(5, `${n}`)))
  yield* TestClock.adjust(2 * 60 * 60 * 1000)
  return files
})

/** Tells a sweep which of these files rows claim. */
type Claimed = (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>

export const none: Claimed = () => Effect.succeed([])

export const all: Claimed = Effect.succeed

export const sweep = (claimed: Claimed) => FileStore.use((store) => store.sweep(claimed))
