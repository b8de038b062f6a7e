import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import * as Fs from "node:fs/promises"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { testSeal } from "./FileSealSuite.ts"
import { testStore } from "./FileStoreSuite.ts"
import { bytesOf, inFolder, type InStore, write } from "./StoredFiles.ts"

const inStore: InStore = inFolder

testSeal("a folder", inStore)

testStore("a folder", inStore, 8)

it.effect("a stored file in a folder is its owner's to read, and nobody's to write", () =>
  inFolder(function*({ path }) {
    const file = yield* write(bytesOf(5))
    assert.strictEqual((yield* Effect.promise(() => Fs.stat(path(file)))).mode & 0o777, 0o400)
  }))

it.effect.skipIf(process.platform !== "linux")(
  "read leaves no file open, whether the stream is run to its end, in part or not at all",
  () =>
    inFolder(function*({ open, replace, sealed }) {
      const store = yield* FileStore
      const file = yield* write(bytesOf(2 * 1024 * 1024))
      const stream = yield* store.read(file)
      assert.deepStrictEqual(yield* open, [])
      assert.lengthOf(
        yield* stream.pipe(
          Stream.tap(() => Effect.map(open, (at) => assert.lengthOf(at, 1))),
          Stream.take(1),
          Stream.runCollect
        ),
        1
      )
      assert.deepStrictEqual(yield* open, [])
      yield* Stream.runDrain(stream)
      assert.deepStrictEqual(yield* open, [])
      const fiber = yield* Effect.forkChild(Stream.runForEach(stream, () => Effect.never), { startImmediately: true })
      while ((yield* open).length === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* open, [])
      yield* replace(file, (yield* sealed(file)).fill(0, 1024 * 1024))
      yield* Effect.flip(Stream.runDrain(stream))
      yield* replace(file, new Uint8Array(5))
      yield* Effect.flip(store.read(file))
      assert.deepStrictEqual(yield* open, [])
    })
)
