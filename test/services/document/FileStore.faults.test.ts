import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { promises } from "node:fs"
import * as Fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { assertReads, bytesOf, failure, inFolder, none, piecesOf, sweep, write } from "./StoredFiles.ts"

const bytes = bytesOf(100_000)

const large = bytesOf(1024 * 1024)

const few = bytesOf(10)

/** The line that a failure must cause in the log. It contains only the code. */
const line = (code: string) => `Error: upload directory: ${code}`

describe("UPLOAD_DIR", () => {
  it.effect("is not created again while it is missing, and all works once it is back", () =>
    inFolder(function*({ directory, lines }) {
      const store = yield* FileStore
      const file = yield* write(bytes)
      const stream = yield* store.read(file)
      yield* Effect.promise(() => Fs.rename(directory, `${directory}-away`))
      assert.deepStrictEqual(lines, [])
      assert.strictEqual(yield* failure(write(few)), "ServiceUnavailable")
      assert.deepStrictEqual(lines.splice(0), [line("ENOENT")])
      assert.strictEqual(yield* failure(store.read(file)), "ServiceUnavailable")
      assert.strictEqual(yield* failure(Stream.runDrain(stream)), "ServiceUnavailable")
      assert.deepStrictEqual(lines.splice(0), [line("ENOENT"), line("ENOENT")])
      yield* store.remove([file.storageKey])
      assert.strictEqual(yield* sweep(none), 0)
      assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(join(directory, ".."))), ["uploads-away"])
      assert.deepStrictEqual(lines, [])
      yield* Effect.promise(() => Fs.rename(`${directory}-away`, directory))
      yield* assertReads(file, bytes)
      yield* assertReads(yield* write(few), few)
    }))

  it.effect("is reported as unavailable, and not as a defect, when it is not a folder", () =>
    inFolder(function*({ directory, lines }) {
      const store = yield* FileStore
      const file = yield* write(few)
      yield* Effect.promise(async () => {
        await Fs.rm(directory, { recursive: true })
        await Fs.writeFile(directory, "")
      })
      assert.strictEqual(yield* failure(write(few)), "ServiceUnavailable")
      assert.strictEqual(yield* failure(store.read(file)), "ServiceUnavailable")
      yield* store.remove([file.storageKey])
      assert.strictEqual(yield* sweep(none), 0)
      // One line for each call, and one for each of the two folders of the sweep.
      assert.deepStrictEqual(lines, Array.from({ length: 5 }, () => line("ENOTDIR")))
    }))

  it.effect("gets its subfolders again when they were lost with their contents", () =>
    inFolder(function*({ directory, lines }) {
      const store = yield* FileStore
      const lost = yield* write(bytes)
      yield* Effect.promise(() => Fs.rm(join(directory, "files"), { recursive: true }))
      // If the folder is missing, the whole disk may be missing, so the file counts as unavailable and not as broken.
      assert.strictEqual(yield* failure(store.read(lost)), "ServiceUnavailable")
      yield* assertReads(yield* write(bytes), bytes)
      assert.deepStrictEqual(lines.splice(0), [line("ENOENT")])
      assert.strictEqual(yield* failure(store.read(lost)), "SealBroken")
      assert.deepStrictEqual(lines.splice(0), [line("a stored file is not intact")])
      for (const folder of ["tmp", "files"]) {
        yield* Effect.promise(() => Fs.rm(join(directory, folder), { recursive: true }))
      }
      yield* assertReads(yield* write(bytes), bytes)
      for (const folder of ["tmp", "files"]) {
        const { mode } = yield* Effect.promise(() => Fs.stat(join(directory, folder)))
        assert.strictEqual(mode & 0o777, 0o700)
      }
      assert.deepStrictEqual(lines, [])
    }))

  it.effect("fails the one upload whose subfolders disappear, and accepts the next", () =>
    inFolder(function*({ directory, lines, names }) {
      const store = yield* FileStore
      for (const folder of ["tmp", "files"]) {
        const vanish = Effect.promise(() => Fs.rm(join(directory, folder), { recursive: true }))
        const content = Stream.fromArray(piecesOf(bytes, 50_000)).pipe(Stream.concat(Stream.fromEffectDrain(vanish)))
        assert.strictEqual(yield* failure(store.write(content)), "ServiceUnavailable")
        assert.deepStrictEqual(lines.splice(0), [line("ENOENT")])
        const file = yield* write(bytes)
        yield* assertReads(file, bytes)
        assert.deepStrictEqual(yield* names("tmp"), [])
        assert.deepStrictEqual(yield* names("files"), [file.storageKey])
        yield* store.remove([file.storageKey])
      }
    }))
})

it.effect("A file that is not intact causes one log line, whether the fault is found before or during the stream", () =>
  inFolder(function*({ directory, lines }) {
    const store = yield* FileStore
    const file = yield* write(bytes)
    const other = { ...file, sha256: new Uint8Array(32) }
    assert.strictEqual(yield* failure(Effect.flatMap(store.read(other), Stream.runDrain)), "SealBroken")
    assert.deepStrictEqual(lines.splice(0), [line("a stored file is not intact")])
    yield* Effect.promise(() => Fs.unlink(join(directory, "files", file.storageKey)))
    assert.strictEqual(yield* failure(store.read(file)), "SealBroken")
    assert.deepStrictEqual(lines, [line("a stored file is not intact")])
  }))

/** The prototype of the objects that `open` returns. Node exports only their type. */
const handles: Fs.FileHandle = await Fs.open(".").then(async (handle) => {
  await handle.close()
  return Object.getPrototypeOf(handle)
})

/** Replaces a method of Node with the result of `instead` while `effect` runs. */
const patched = <Of extends object, Name extends keyof Of, A, E, R>(
  of: Of,
  name: Name,
  instead: (original: Of[Name]) => Of[Name],
  effect: Effect.Effect<A, E, R>
) => {
  const original = of[name]
  const put = (method: Of[Name]) =>
    Effect.sync(() => {
      of[name] = method
      syncBuiltinESMExports()
    })
  return Effect.acquireUseRelease(put(instead(original)), () => effect, () => put(original))
}

const refusal = (code: string) => Object.assign(new Error(`${code}: /a/path`), { code, errno: -1 })

describe("A failing disk", () => {
  const full = ["ENOSPC", "EDQUOT", "EFBIG"]

  it.effect.each([...full, "EIO", "EMFILE", "ESTALE"])(
    "leaves nothing of a write that fails with %s at any step",
    (code) =>
      inFolder(function*({ lines, names }) {
        const file = yield* write(few)
        const refuse = () => () => Promise.reject(refusal(code))
        const writes = {
          mkdir: patched(promises, "mkdir", refuse, write(bytes)),
          open: patched(promises, "open", refuse, write(bytes)),
          write: patched(handles, "write", refuse, write(bytes)),
          chmod: patched(handles, "chmod", refuse, write(bytes)),
          sync: patched(handles, "sync", refuse, write(bytes)),
          rename: patched(promises, "rename", refuse, write(bytes))
        }
        for (const [step, failing] of Object.entries(writes)) {
          const expected = full.includes(code) ? "StorageFull" : "ServiceUnavailable"
          assert.strictEqual(yield* failure(failing), expected, step)
          assert.deepStrictEqual(lines.splice(0), [line(code)])
          assert.deepStrictEqual(yield* names("tmp"), [])
          assert.deepStrictEqual(yield* names("files"), [file.storageKey])
        }
      })
  )

  it.effect("makes the read of a file fail as unavailable", () =>
    inFolder(function*({ lines }) {
      const store = yield* FileStore
      const file = yield* write(large)
      const stream = yield* store.read(file)
      const refuse = () => () => Promise.reject(refusal("EIO"))
      assert.strictEqual(yield* failure(patched(handles, "read", refuse, store.read(file))), "ServiceUnavailable")
      assert.strictEqual(
        yield* failure(patched(handles, "read", refuse, Stream.runDrain(stream))),
        "ServiceUnavailable"
      )
      assert.deepStrictEqual(lines, [line("EIO"), line("EIO")])
      yield* assertReads(file, large)
    }))

  it.effect("does no harm when a call reads or writes less than was requested", () =>
    inFolder(function*() {
      const short = (original: any) =>
        function(this: Fs.FileHandle, bytes: Buffer, at = 0, length = bytes.length - at, position?: number) {
          return original.call(this, bytes, at, Math.min(length, 10_007), position)
        } as any
      const file = yield* patched(handles, "write", short, write(large))
      yield* patched(handles, "read", short, assertReads(file, large))
    }))
})

describe("A write", () => {
  it.effect("syncs the file before it is visible, then its folder, and also the parent of each new folder", () =>
    inFolder(function*({ directory }) {
      const synced: Array<unknown> = []
      const record = (original: Fs.FileHandle["sync"]) =>
        async function(this: Fs.FileHandle) {
          const { ino, mode } = await this.stat()
          const at = (path: string) => Fs.stat(path).then((stats) => stats.ino === ino, () => false)
          const seen = await Fs.readdir(join(directory, "files")).catch(() => [])
          if (await at(directory)) synced.push("UPLOAD_DIR")
          else if (await at(join(directory, "files"))) synced.push(`files with ${seen.length}`)
          else synced.push(`a file of mode ${(mode & 0o777).toString(8)} beside ${seen.length}`)
          return original.call(this)
        }
      const syncing = patched(handles, "sync", record, write(bytes))
      yield* syncing
      assert.deepStrictEqual(synced.splice(0, 2), ["UPLOAD_DIR", "UPLOAD_DIR"])
      assert.deepStrictEqual(synced.splice(0), ["a file of mode 400 beside 0", "files with 1"])
      yield* syncing
      assert.deepStrictEqual(synced, ["a file of mode 400 beside 1", "files with 2"])
    }))

  it.effect("whose last sync fails removes the file again", () =>
    inFolder(function*({ lines, names }) {
      yield* write(few).pipe(Effect.flatMap(({ storageKey }) => FileStore.use((store) => store.remove([storageKey]))))
      const failFolder = (original: Fs.FileHandle["sync"]) =>
        async function(this: Fs.FileHandle) {
          if ((await this.stat()).isDirectory()) throw refusal("EIO")
          return original.call(this)
        }
      assert.strictEqual(yield* failure(patched(handles, "sync", failFolder, write(bytes))), "ServiceUnavailable")
      assert.deepStrictEqual(lines, [line("EIO")])
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files")], [[], []])
    }))

  it.effect("that is interrupted at its last step removes the file again", () =>
    inFolder(function*({ names }) {
      const renamed = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const stopAfter = (original: typeof promises.rename): typeof promises.rename => async (from, to) => {
        await original(from, to)
        renamed.resolve()
        await goOn.promise
      }
      const fiber = yield* Effect.forkChild(patched(promises, "rename", stopAfter, write(bytes)))
      yield* Effect.promise(() => renamed.promise)
      assert.lengthOf(yield* names("files"), 1)
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
      // An interruption that did not wait for the rename would end within this time.
      for (let turns = 0; turns < 100; turns++) yield* Effect.promise(() => new Promise((turn) => setImmediate(turn)))
      goOn.resolve()
      yield* Fiber.join(interrupting)
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files")], [[], []])
    }))
})
