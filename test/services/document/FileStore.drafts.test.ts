import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope, Stream } from "effect"
import { join } from "node:path"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { contentOf, finishAll, newStorageKey, openDraft } from "../../../src/services/document/SealedFile.ts"
import { storeFolders } from "../../../src/services/document/StoreFolders.ts"
import { bytesOf, inFolder } from "./StoredFiles.ts"

const draftIn = (directory: string, key?: string) => Effect.promise(() => openDraft(storeFolders(directory), key))

const collected = (content: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Stream.runCollect(content), (pieces) => Buffer.concat(pieces))

describe("A draft that another process has written", () => {
  it.effect("can be read once, because its name in tmp is removed before the read", () =>
    inFolder(function*({ directory, names, open }) {
      const bytes = bytesOf(1_500_000)
      const draft = yield* draftIn(directory)
      const file = yield* Effect.promise(async () => {
        await draft.add([bytes.subarray(0, 1000), bytes.subarray(1000)])
        return draft.end()
      })
      const store = yield* FileStore
      const scope = yield* Scope.make()
      const content = yield* Scope.provide(store.readOnce(file), scope)
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files"), (yield* open).length], [[], [], 1])
      assert.isTrue((yield* collected(content)).equals(bytes))
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* open, [])
      assert.match(String(yield* Effect.flip(Effect.scoped(store.readOnce(file)))), /SealBroken/)
    }))

  it.effect("can be abandoned in either folder without the loss of another file", () =>
    inFolder(function*({ directory, names }) {
      const [first, second, absent] = [newStorageKey(), newStorageKey(), newStorageKey()]
      const whole = yield* draftIn(directory, first)
      yield* Effect.promise(() => whole.finish())
      const other = yield* draftIn(directory)
      const { storageKey } = yield* Effect.promise(() => other.finish())
      const half = yield* draftIn(directory, second)
      assert.deepStrictEqual([yield* names("tmp"), (yield* names("files")).length], [[second], 2])
      yield* FileStore.use((store) => store.abandon([first, second, absent]))
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files")], [[], [storageKey]])
      yield* Effect.promise(() => half.discard())
    }))

  it.effect("can be read in tmp before it is finished, and is then the same file", () =>
    inFolder(function*({ directory, names }) {
      const bytes = bytesOf(200_000)
      const draft = yield* draftIn(directory)
      const read = yield* Effect.promise(async () => {
        await draft.add([bytes])
        const file = await draft.complete()
        return Buffer.concat(await Array.fromAsync(contentOf(join(directory, "tmp", file.storageKey), file)))
      })
      assert.isTrue(read.equals(bytes))
      const file = yield* Effect.promise(() => draft.finish())
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files")], [[], [file.storageKey]])
      assert.isTrue((yield* collected(yield* FileStore.use((store) => store.read(file)))).equals(bytes))
    }))

  it.effect("is finished with others at once: if one fails, the others have ended, and all can be discarded", () =>
    inFolder(function*({ directory, names, open }) {
      const keys = [newStorageKey(), newStorageKey(), newStorageKey()].toSorted()
      const drafts = yield* Effect.forEach(keys, (key) => draftIn(directory, key))
      yield* Effect.promise(() => drafts[1]!.discard())
      const refusal = yield* Effect.promise(() => finishAll(drafts).catch(({ code }: NodeJS.ErrnoException) => code))
      assert.strictEqual(refusal, "EBADF")
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files")], [[], [keys[0]!, keys[2]!]])
      yield* Effect.promise(() => Promise.all(drafts.map((draft) => draft.discard())))
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files"), yield* open], [[], [], []])
    }))
})
