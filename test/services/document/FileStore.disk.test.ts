import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmdirSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { assertReads, bytesOf, failure, none, sweep, type Test, withStore, write } from "./StoredFiles.ts"

/** The line that a failure must cause in the log. It contains only the code. */
const line = (code: string) => `Error: upload directory: ${code}`

const run = (command: string, ...parameters: ReadonlyArray<string>) =>
  execFileSync(command, parameters, { stdio: "pipe" })

const mount = (directory: string, ...options: ReadonlyArray<string>) =>
  run("mount", "-t", "tmpfs", "-o", options.join(","), "tmpfs", directory)

const unmount = (directory: string) => run("umount", "-l", directory)

const mayMount = (() => {
  const directory = mkdtempSync(join(tmpdir(), "vrss-mount-"))
  try {
    mount(directory, "size=256k")
    unmount(directory)
    return true
  } catch {
    return false
  } finally {
    rmdirSync(directory)
  }
})()

const onSmallDisk = <Eff extends Effect.Effect<any, any, FileStore>, A>(test: Test<Eff, A>) =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const directory = await Fs.mkdtemp(join(tmpdir(), "vrss-disk-"))
      mount(directory, "size=256k")
      return directory
    }),
    (directory) => withStore(directory, test),
    (directory) =>
      Effect.promise(async () => {
        unmount(directory)
        await Fs.rmdir(directory)
      })
  )

const reason = mayMount ? "" : " (skipped: mounting a tmpfs takes root on Linux)"

describe.skipIf(!mayMount)(`a small disk${reason}`, () => {
  it.effect("that is full answers storage_full, leaves nothing behind, and still accepts a file that fits", () =>
    onSmallDisk(function*({ lines, names }) {
      // The smaller file fails at its last block, and the larger one at an earlier block.
      for (const size of [300_000, 1024 * 1024]) {
        const error = yield* Effect.flip(write(bytesOf(size)))
        assert.deepStrictEqual([error.error, error._tag], ["storage_full", "StorageFull"])
        assert.deepStrictEqual(yield* names("tmp"), [])
        assert.deepStrictEqual(yield* names("files"), [])
      }
      const fits = yield* write(bytesOf(150_000))
      assert.strictEqual(yield* failure(write(bytesOf(150_000))), "StorageFull")
      yield* assertReads(fits, bytesOf(150_000))
      assert.deepStrictEqual(lines, Array(3).fill(line("ENOSPC")))
    }))

  it.effect("that turns read-only can still be read, and accepts writes again once it is writable", () =>
    onSmallDisk(function*({ directory, lines }) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(100_000))
      yield* Effect.promise(() => Fs.utimes(join(directory, "files", file.storageKey), 0, 0))
      yield* TestClock.setTime(Date.now())
      mount(directory, "remount", "ro")
      assert.strictEqual(yield* failure(write(bytesOf(10))), "ServiceUnavailable")
      assert.deepStrictEqual(lines.splice(0), [line("EROFS")])
      yield* store.remove([file.storageKey])
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(lines.splice(0), [line("EROFS"), line("EROFS")])
      yield* assertReads(file, bytesOf(100_000))
      mount(directory, "remount", "rw")
      yield* assertReads(yield* write(bytesOf(10)), bytesOf(10))
      assert.strictEqual(yield* sweep(none), 1)
      assert.deepStrictEqual(lines, [])
    }))
})
