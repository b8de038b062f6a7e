import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { assertReads, bytesOf, type Folder, inFolder, none, write } from "./StoredFiles.ts"

describe("A sweep", () => {
  const minute = 60 * 1000
  const key = (n: number) => n.toString(16).padStart(32, "0")

  /** Makes `name` in `folder` with a last write `minutes` ago. */
  const make = ({ directory }: Folder, folder: "tmp" | "files", name: string, minutes: number) =>
    Effect.promise(async () => {
      const path = join(directory, folder, name)
      await Fs.writeFile(path, "")
      const at = (Date.now() - minutes * minute) / 1000
      await Fs.utimes(path, at, at)
    })
  const begin = Effect.andThen(write(new Uint8Array(0)), TestClock.setTime(Date.now()))

  it.effect("removes unclaimed files and leftovers of uploads an hour after their last write", () =>
    inFolder(function*(folder) {
      const store = yield* FileStore
      const fresh = yield* write(bytesOf(5))
      yield* begin
      yield* store.sweep(none)
      const before = yield* folder.names("files")
      for (const name of ["tmp", "files"] as const) {
        yield* make(folder, name, key(1), 59)
        yield* make(folder, name, key(2), 61)
        yield* make(folder, name, key(3), 61)
        yield* make(folder, name, "somebody-elses", 6000)
      }
      const asked: Array<string> = []
      const claim = (keys: ReadonlyArray<string>) => {
        asked.push(...keys)
        return Effect.succeed([key(3), key(9)])
      }
      assert.strictEqual(yield* store.sweep(claim), 3)
      assert.sameMembers(asked, [key(2), key(3)])
      assert.sameMembers(yield* folder.names("tmp"), [key(1), "somebody-elses"])
      assert.sameMembers(yield* folder.names("files"), [...before, key(1), key(3), "somebody-elses"])
      assert.strictEqual(yield* store.sweep(claim), 0)
      yield* assertReads(fresh, bytesOf(5))
    }))

  it.effect("asks in batches of 500 which files are claimed", () =>
    inFolder(function*(folder) {
      const store = yield* FileStore
      yield* begin
      for (let n = 0; n < 1201; n++) yield* make(folder, "files", key(n), 90)
      const asked: Array<ReadonlyArray<string>> = []
      const claimed = (keys: ReadonlyArray<string>) => {
        asked.push(keys)
        return Effect.succeed(keys.filter((name) => name.endsWith("0")))
      }
      assert.strictEqual(yield* store.sweep(claimed), 1201 - 76)
      assert.deepStrictEqual(asked.map(({ length }) => length), [500, 500, 201])
      assert.strictEqual(new Set(asked.flat()).size, 1201)
      assert.lengthOf(yield* folder.names("files"), 76 + 1)
      assert.lengthOf(yield* folder.names("trash"), 1201 - 76)
    }, { SWEEP_LIMIT_PERCENT: "100" }))

  it.effect("does not count a file that disappeared meanwhile", () =>
    inFolder(function*(folder) {
      const store = yield* FileStore
      yield* begin
      for (const n of [1, 2, 3]) yield* make(folder, "files", key(n), 90)
      const meanwhile = () => Effect.as(store.remove([key(2)]), [])
      assert.strictEqual(yield* store.sweep(meanwhile), 2)
    }))

  it.effect("finds nothing if no file was ever written", () =>
    inFolder(function*({ directory }) {
      assert.strictEqual(yield* FileStore.use((store) => store.sweep(() => Effect.die("nothing to ask"))), 0)
      assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(directory)), [])
    }))
})
