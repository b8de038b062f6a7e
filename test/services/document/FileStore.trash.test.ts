import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import type { StoredFile } from "../../../src/services/document/SealedFile.ts"
import { assertReads, bytesOf, inFolder, none, stored, sweep } from "./StoredFiles.ts"

const day = 24 * 60 * 60 * 1000

const keysOf = (files: ReadonlyArray<StoredFile>) => files.map(({ storageKey }) => storageKey)

describe("A file that no row claims", () => {
  it.effect("is moved to trash, and removed after 7 days there", () =>
    inFolder(function*(folder) {
      const [file] = yield* stored(1)
      assert.strictEqual(yield* sweep(none), 1)
      assert.deepStrictEqual(yield* folder.names("files"), [])
      assert.deepStrictEqual(yield* folder.names("trash"), [file!.storageKey])
      const { mode } = yield* Effect.promise(() => Fs.stat(join(folder.directory, "trash")))
      assert.strictEqual(mode & 0o777, 0o700)
      yield* TestClock.adjust(7 * day - 1000)
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(yield* folder.names("trash"), [file!.storageKey])
      yield* TestClock.adjust(2000)
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(yield* folder.names("trash"), [])
    }))

  it.effect("is put back from trash once a row claims it again, even after a long time", () =>
    inFolder(function*(folder) {
      const [file, other] = yield* stored(2)
      yield* sweep(none)
      yield* TestClock.adjust(30 * day)
      folder.lines.length = 0
      yield* sweep((keys) => Effect.succeed(keys.filter((key) => key === file!.storageKey)))
      assert.deepStrictEqual(folder.lines, [
        "Warn: upload directory: files put back from trash, because rows need them: 1"
      ])
      assert.deepStrictEqual([yield* folder.names("files"), yield* folder.names("trash")], [[file!.storageKey], []])
      yield* assertReads(file!, bytesOf(5, "0"))
      assert.notStrictEqual(other, undefined)
    }))

  it.effect("is never moved or removed if its name is not a storage key", () =>
    inFolder(function*(folder) {
      yield* stored(1)
      yield* sweep(none)
      for (const name of ["trash", "files"] as const) {
        yield* Effect.promise(() => Fs.writeFile(join(folder.directory, name, "somebody-elses"), ""))
      }
      yield* TestClock.adjust(30 * day)
      yield* sweep(none)
      assert.deepStrictEqual([yield* folder.names("files"), yield* folder.names("trash")], [["somebody-elses"], [
        "somebody-elses"
      ]])
    }))
})

describe("A sweep that finds files without a row", () => {
  const line = (orphans: number, total: number, percent: number) =>
    `Error: upload directory: ${orphans} of ${total} files have no row in this database, which is more than ` +
    `SWEEP_LIMIT_PERCENT=5 lets go at once: all stay. If this is the right database, start with SWEEP_LIMIT_PERCENT=${percent}`

  it.effect("moves none to trash if they exceed the limit, and logs their number and the limit that would allow it", () =>
    inFolder(function*(folder) {
      const files = yield* stored(11)
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(folder.lines, [line(11, 11, 100)])
      assert.sameMembers(yield* folder.names("files"), keysOf(files))
      assert.deepStrictEqual(yield* folder.names("trash"), [])
    }))

  it.effect("removes nothing from trash if they exceed the limit, but puts back files that a row claims", () =>
    inFolder(function*(folder) {
      const [first, second] = yield* stored(2)
      yield* sweep(none)
      const files = yield* stored(11)
      yield* TestClock.adjust(30 * day)
      yield* sweep((keys) => Effect.succeed(keys.filter((key) => key === first!.storageKey)))
      assert.sameMembers(yield* folder.names("files"), [...keysOf(files), first!.storageKey])
      assert.deepStrictEqual(yield* folder.names("trash"), [second!.storageKey])
    }))

  it.effect("moves up to 5 % of all files to trash, or up to ten if that is more", () =>
    inFolder(function*(folder) {
      const files = keysOf(yield* stored(220))
      const but = (count: number) => (keys: ReadonlyArray<string>) =>
        Effect.succeed(keys.filter((key) => files.indexOf(key) >= count))
      assert.strictEqual(yield* sweep(but(12)), 0)
      assert.deepStrictEqual(folder.lines, [line(12, 220, 6)])
      assert.strictEqual(yield* sweep(but(11)), 11)
      assert.lengthOf(yield* folder.names("trash"), 11)
      assert.strictEqual(yield* sweep(but(21)), 10)
      assert.lengthOf(yield* folder.names("files"), 220 - 21)
    }))

  it.effect("moves them all to trash if SWEEP_LIMIT_PERCENT is the limit that the log names", () =>
    inFolder(function*(folder) {
      const files = keysOf(yield* stored(30))
      const claimed = (keys: ReadonlyArray<string>) => Effect.succeed(keys.filter((key) => files.indexOf(key) >= 17))
      assert.strictEqual(yield* sweep(claimed), 17)
      assert.lengthOf(yield* folder.names("trash"), 17)
    }, { SWEEP_LIMIT_PERCENT: `${Math.ceil(1700 / 30)}` }))
})
