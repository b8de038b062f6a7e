import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { openDraft, type StoredFile } from "../../../src/services/document/SealedFile.ts"
import { openVersionedBucket, type VersionedBucket } from "../../support/VersionedBucket.ts"
import {
  all,
  assertBroken,
  assertReads,
  bytesOf,
  failure,
  inFolder,
  none,
  stored,
  sweep,
  type Test,
  write
} from "./StoredFiles.ts"

let bucket: VersionedBucket

beforeAll(async () => {
  bucket = await openVersionedBucket()
})

afterAll(() => bucket.close())

beforeEach(() => bucket.reset())

/** Runs a test on a store in the bucket. */
const inBucket = <Eff extends Effect.Effect<any, any, FileStore>, A>(test: Test<Eff, A>) =>
  inFolder(test, bucket.environment)

const key = ({ storageKey }: StoredFile) => `files/${storageKey}`

const hour = 60 * 60 * 1000

const keysOf = (files: ReadonlyArray<StoredFile>) => files.map(key).sort()

describe("A sweep of a bucket", () => {
  it.effect("hides files that no row claims, and puts them back once a row claims them again", () =>
    inBucket(function*({ lines }) {
      const [orphan, kept] = (yield* stored(2)) as [StoredFile, StoredFile]
      const claimed = (keys: ReadonlyArray<string>) => Effect.succeed(keys.filter((name) => name === kept.storageKey))
      assert.strictEqual(yield* sweep(claimed), 1)
      assert.deepStrictEqual(bucket.keys(), keysOf([kept]))
      assert.strictEqual(yield* assertBroken("hidden", orphan, bytesOf(5, "0")), 0)
      lines.length = 0
      assert.strictEqual(yield* sweep(all), 0)
      assert.deepStrictEqual(lines, ["Warn: upload bucket: files put back, because rows need them: 1"])
      yield* assertReads(orphan, bytesOf(5, "0"))
      assert.deepStrictEqual(bucket.keys(), keysOf([orphan, kept]))
    }))

  it.effect("leaves files of the last hour, files under other names, and a file that was removed for good", () =>
    inBucket(function*() {
      bucket.put("files/somebody-elses", Buffer.from("x"), new Date(0))
      bucket.put("database-id", Buffer.from("x"), new Date(0))
      const [removed] = yield* stored(1)
      yield* FileStore.use((store) => store.remove([removed!.storageKey]))
      const fresh = yield* write(bytesOf(5))
      bucket.put(key(fresh), bucket.bytes(key(fresh)), new Date(Date.now() + 2 * hour - 59 * 60_000))
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(bucket.keys(), ["database-id", key(fresh), "files/somebody-elses"].sort())
    }))

  it.effect("reads a listing of many pages to its end", () =>
    inBucket(function*() {
      bucket.pageSize = 3
      const files = yield* stored(20)
      const claimed = (keys: ReadonlyArray<string>) =>
        Effect.succeed(keys.filter((name) => files.findIndex(({ storageKey }) => storageKey === name) >= 10))
      assert.strictEqual(yield* sweep(claimed), 10)
      assert.deepStrictEqual(bucket.keys(), keysOf(files.slice(10)))
      assert.strictEqual(yield* sweep(all), 0)
      assert.deepStrictEqual(bucket.keys(), keysOf(files))
    }))

  it.effect("hides none if they exceed the limit", () =>
    inBucket(function*({ lines }) {
      const files = yield* stored(11)
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(bucket.keys(), keysOf(files))
      assert.deepStrictEqual(lines, [
        "Error: upload bucket: 11 of 11 files have no row in this database, which is more than SWEEP_LIMIT_PERCENT=5 " +
        "lets go at once: all stay. If this is the right database, start with SWEEP_LIMIT_PERCENT=100"
      ])
    }))

  it.effect("hides none if the bucket keeps no versions", () =>
    inBucket(function*({ lines }) {
      bucket.versioning = false
      const files = yield* stored(1)
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(bucket.keys(), keysOf(files))
      assert.deepStrictEqual(lines, [
        "Error: upload bucket: it keeps no versions of objects, so no file without a row is swept"
      ])
    }))

  it.effect.each(
    [
      ["fails", [503, "SlowDown"], "SlowDown"],
      ["is not allowed", [403, "AccessDenied"], "AccessDenied"]
    ] as const
  )("hides none if a page of the listing %s", ([, fault, code]) =>
    inBucket(function*({ lines }) {
      bucket.pageSize = 3
      const files = yield* stored(5)
      bucket.fault = (_method, _key, query) => query.has("key-marker") ? fault : undefined
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(bucket.keys(), keysOf(files))
      assert.deepStrictEqual(lines, [`Error: upload bucket: ${code}`])
    }))

  it.effect("ends, and hides none, if a listing does not go on", () =>
    inBucket(function*({ lines }) {
      const files = yield* stored(5)
      bucket.stuck = true
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(bucket.keys(), keysOf(files))
      assert.deepStrictEqual(lines, ["Error: upload bucket: ListingBroken"])
    }))

  it.effect("neither hides nor loses what a listing omits", () =>
    inBucket(function*() {
      const files = yield* stored(5)
      const hidden = key(files[2]!)
      bucket.shows = (name) => name !== hidden
      assert.strictEqual(yield* sweep(all), 0)
      assert.strictEqual(yield* sweep(none), 4)
      assert.strictEqual(yield* sweep(all), 0)
      bucket.shows = () => true
      assert.deepStrictEqual(bucket.keys(), keysOf(files))
      for (const [n, file] of files.entries()) yield* assertReads(file, bytesOf(5, `${n}`))
    }))
})

describe("A bucket", () => {
  it.effect("that lies about a file's bytes gets none of them past the seal", () =>
    inBucket(function*({ lines }) {
      const [one, other] = [yield* write(bytesOf(200_000, "one")), yield* write(bytesOf(200_000, "other"))]
      for (
        const lie of [
          () => bucket.bytes(key(other))!,
          (_: string, bytes: Buffer) => bytes.subarray(0, -1),
          (_: string, bytes: Buffer) => Buffer.concat([bytes, Buffer.from("x")]),
          (_: string, bytes: Buffer) => Buffer.alloc(bytes.length)
        ]
      ) {
        bucket.lie = lie
        assert.strictEqual(yield* assertBroken("a lie", one, bytesOf(200_000, "one")), 0)
      }
      bucket.lie = (_, bytes) => bytes
      yield* assertReads(one, bytesOf(200_000, "one"))
      assert.deepStrictEqual(new Set(lines), new Set(["Error: upload directory: a stored file is not intact"]))
    }))

  it.effect("that cuts a connection within a range is asked for the range again", () =>
    inBucket(function*() {
      const bytes = bytesOf(1_500_000)
      const file = yield* write(bytes)
      let cuts = 0
      bucket.fault = (method) => method === "GET" && cuts++ % 2 === 0 ? "cut" : undefined
      yield* assertReads(file, bytes)
      bucket.fault = (method) => method === "GET" ? "cut" : undefined
      const refused = yield* Effect.flip(FileStore.use((store) => store.read(file)))
      assert.strictEqual(refused._tag, "ServiceUnavailable")
    }))

  it.effect("that fails is unavailable, or full, in one line without its message; and nothing stays in tmp", () =>
    inBucket(function*({ lines, names }) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(5))
      for (
        const [fault, write, read] of [
          [[503, "SlowDown"], "ServiceUnavailable", "ServiceUnavailable"],
          [[403, "AccessDenied"], "ServiceUnavailable", "ServiceUnavailable"],
          [[404, "NoSuchBucket"], "ServiceUnavailable", "ServiceUnavailable"],
          [[507, "InsufficientStorage"], "StorageFull", "ServiceUnavailable"],
          [[403, "QuotaExceeded"], "StorageFull", "ServiceUnavailable"]
        ] as const
      ) {
        bucket.fault = () => fault
        assert.strictEqual(yield* failure(store.write(Stream.make(bytesOf(5)))), write)
        assert.strictEqual(yield* failure(store.read(file)), read)
        assert.deepStrictEqual(yield* names("tmp"), [])
        assert.isAtLeast(lines.length, 2)
        for (const line of lines.splice(0)) assert.strictEqual(line, `Error: upload bucket: ${fault[1]}`)
      }
      bucket.fault = () => undefined
      yield* assertReads(file, bytesOf(5))
      assert.deepStrictEqual(bucket.keys(), [key(file)])
    }))

  it.effect("shows no file of an upload that fails in its middle, and gets the parts removed", () =>
    inBucket(function*(folder) {
      const bytes = bytesOf(11 * 1024 * 1024)
      bucket.fault = (method, _key, query) =>
        method === "PUT" && query.get("partNumber") === "3" ? [403, "AccessDenied"] : undefined
      assert.strictEqual(yield* failure(write(bytes)), "ServiceUnavailable")
      assert.deepStrictEqual([bucket.keys(), bucket.unfinished(), yield* folder.names("tmp")], [[], 0, []])
      bucket.fault = () => undefined
      yield* assertReads(yield* write(bytes), bytes)
    }))

  it.effect("is not asked for a file that is not moved yet, and loses it in both places when it is removed", () =>
    inBucket(function*(folder) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(100_000))
      const path = join(folder.directory, "files", file.storageKey)
      yield* Effect.promise(async () => {
        await Fs.mkdir(join(folder.directory, "files"))
        await Fs.writeFile(path, bucket.bytes(key(file))!)
      })
      bucket.requests.length = 0
      yield* assertReads(file, bytesOf(100_000))
      assert.deepStrictEqual(bucket.requests, [])
      yield* Effect.scoped(Effect.gen(function*() {
        const lent = store.lend([file])
        yield* lent.fetch
        const copy = yield* Effect.promise(() => Fs.readFile(lent.paths[0]!))
        assert.isTrue(copy.equals(bucket.bytes(key(file))!))
      }))
      yield* store.remove([file.storageKey])
      assert.deepStrictEqual([yield* folder.names("files"), yield* folder.names("tmp"), bucket.keys()], [[], [], []])
    }))

  it.effect("leaves no file open if one that is not moved yet cannot be lent", () =>
    inBucket(function*(folder) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(100_000))
      const lent = store.lend([file])
      yield* Effect.promise(async () => {
        await Fs.mkdir(join(folder.directory, "files"))
        await Fs.writeFile(join(folder.directory, "files", file.storageKey), bucket.bytes(key(file))!)
        // The copy cannot be made.
        await Fs.writeFile(lent.paths[0]!, "")
      })
      assert.strictEqual(yield* failure(Effect.scoped(lent.fetch)), "ServiceUnavailable")
      assert.deepStrictEqual(yield* folder.open, [])
    }))

  it.effect("gets the files that a worker process has finished, and lends it others for a while", () =>
    inBucket(function*(folder) {
      const store = yield* FileStore
      const bytes = bytesOf(6 * 1024 * 1024)
      const file = yield* Effect.promise(async () => {
        const draft = await openDraft(store.folders)
        await draft.add([bytes])
        return draft.finish()
      })
      assert.deepStrictEqual([yield* folder.names("tmp"), bucket.keys()], [[file.storageKey], []])
      yield* store.keep([file.storageKey])
      assert.deepStrictEqual([yield* folder.names("tmp"), bucket.keys()], [[], [key(file)]])
      yield* assertReads(file, bytes)
      const lent = store.lend([file])
      yield* Effect.scoped(Effect.andThen(
        lent.fetch,
        Effect.promise(async () => {
          assert.isTrue((await Fs.readFile(lent.paths[0]!)).equals(bucket.bytes(key(file))!))
        })
      ))
      assert.deepStrictEqual(yield* folder.names("tmp"), [])
    }))
})
