import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Deferred, Effect, Exit, Fiber, Schema, Stream } from "effect"
import { createDecipheriv } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import {
  assertBroken,
  assertReads,
  bytesOf,
  chunk,
  header,
  type InStore,
  piecesOf,
  sealedChunk,
  sha256,
  type Stored,
  write
} from "./StoredFiles.ts"

/** The tests of writing, reading and removing, for each place where files are kept. `tries` are those of a property. */
export const testStore = (place: string, inStore: InStore, tries: number) => {
  describe(`write and read in ${place}`, () => {
    const sizes = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 8 * chunk, 8 * chunk + 1, 1024 * 1024 + 1]

    it.effect.each(sizes)("give back %i bytes", (size) =>
      inStore(function*({ names, sealed }) {
        const bytes = bytesOf(size)
        const file = yield* write(bytes)
        assert.strictEqual(file.byteSize, size)
        assert.deepStrictEqual(file.sha256, sha256(bytes))
        assert.strictEqual(file.fileKey.length, 32)
        assert.match(file.storageKey, /^[0-9a-f]{32}$/)
        yield* assertReads(file, bytes)
        assert.strictEqual(
          (yield* sealed(file)).length,
          header.length + size + 16 * Math.max(1, Math.ceil(size / chunk))
        )
        assert.deepStrictEqual(yield* names("tmp"), [])
      }))

    it.effect.prop(
      "give back any number of bytes from pieces of any size",
      {
        size: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 700_000 })),
        sizes: Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 600_000 })))
      },
      ({ size, sizes }) =>
        inStore(function*() {
          const bytes = bytesOf(size)
          const file = yield* write(bytes, ...sizes)
          assert.deepStrictEqual([file.byteSize, file.sha256], [size, sha256(bytes)])
          yield* assertReads(file, bytes)
        }),
      { arbitrary: { runs: tries } }
    )

    it.effect("accept single bytes, empty pieces and one piece of several blocks", () =>
      inStore(function*() {
        const bytes = bytesOf(1_300_000)
        yield* assertReads(yield* write(bytes, 1, 1, 1_200_000, 1), bytes)
        const small = bytesOf(70_000)
        yield* assertReads(yield* write(small, 1), small)
        const gaps = Stream.fromArray([
          new Uint8Array(0),
          ...Arr.intersperse(piecesOf(bytes, 65_536), new Uint8Array(0))
        ])
        yield* assertReads(yield* FileStore.use((store) => store.write(gaps)), bytes)
        const nothing = yield* FileStore.use((store) => store.write(Stream.make(new Uint8Array(0))))
        yield* assertReads(nothing, new Uint8Array(0))
      }))

    it.effect("give a stream that can be run any number of times", () =>
      inStore(function*() {
        const bytes = bytesOf(600_000)
        const stream = yield* FileStore.use((store) => Effect.flatMap(write(bytes), store.read))
        for (const _ of [1, 2]) assert.isTrue(Buffer.concat(yield* Stream.runCollect(stream)).equals(bytes))
      }))

    it.effect("number the chunks, mark the last one, and bind each to the version and the storage key", () =>
      inStore(function*({ sealed }) {
        for (const size of [0, 5, chunk, 9 * chunk, 9 * chunk + 5]) {
          const bytes = bytesOf(size)
          const file = yield* write(bytes)
          const onDisk = yield* sealed(file)
          assert.strictEqual(onDisk.toString("latin1", 0, header.length), header)
          const opened: Array<Buffer> = []
          for (let at = header.length, n = 0; at < onDisk.length; at += sealedChunk, n++) {
            const piece = onDisk.subarray(at, at + sealedChunk)
            const nonce = Buffer.alloc(12)
            nonce.writeUInt32BE(n, 7)
            nonce[11] = at + sealedChunk >= onDisk.length ? 1 : 0
            const decipher = createDecipheriv("aes-256-gcm", file.fileKey, nonce)
            decipher.setAAD(Buffer.from(header + file.storageKey)).setAuthTag(piece.subarray(-16))
            opened.push(decipher.update(piece.subarray(0, -16)), decipher.final())
          }
          assert.isTrue(Buffer.concat(opened).equals(bytes))
        }
      }))

    it.effect("leave no plaintext on the disk at any time, and seal the same bytes differently each time", () =>
      inStore(function*({ directory, names, sealed }) {
        const canary = "Diagnosis: a canary. "
        const bytes = Buffer.alloc(2 * 1024 * 1024, canary)
        let seenOnTheWay = 0
        const lookOnTheWay = Effect.gen(function*() {
          for (const name of yield* names("tmp")) {
            const draft = yield* Effect.promise(() => Fs.readFile(join(directory, "tmp", name)))
            seenOnTheWay = Math.max(seenOnTheWay, draft.length)
            assert.isFalse(draft.includes(canary))
          }
        })
        const content = Stream.fromIterable(piecesOf(bytes, 300_000), { chunkSize: 1 })
        const one = yield* FileStore.use((store) => store.write(Stream.tap(content, () => lookOnTheWay)))
        assert.isAbove(seenOnTheWay, 1024 * 1024)
        const other = yield* write(bytes)
        assert.isFalse((yield* sealed(one)).includes(canary))
        assert.isFalse((yield* sealed(other)).includes(canary))
        assert.notDeepEqual(one.fileKey, other.fileKey)
        assert.isFalse((yield* sealed(one)).equals(yield* sealed(other)))
      }))
  })

  describe(`FileStore.write in ${place}`, () => {
    const begun = Stream.fromIterable(piecesOf(bytesOf(2 * 1024 * 1024), 300_000), { chunkSize: 1 })

    const assertNothing = Effect.fnUntraced(function*({ names, open }: Stored) {
      assert.deepStrictEqual([yield* names("tmp"), yield* names("files")], [[], []])
      if (process.platform === "linux") assert.deepStrictEqual(yield* open, [])
    })

    it.effect("leaves nothing behind if the content fails or dies", () =>
      inStore(function*(folder) {
        const store = yield* FileStore
        let drafts = 0
        const count = Stream.fromEffectDrain(Effect.map(folder.names("tmp"), ({ length }) => drafts += length))
        const failing = begun.pipe(Stream.concat(count), Stream.concat(Stream.fail("torn" as const)))
        assert.strictEqual(yield* Effect.flip(store.write(failing)), "torn")
        yield* assertNothing(folder)
        const dying = begun.pipe(Stream.concat(count), Stream.concat(Stream.die("defect")))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(store.write(dying))))
        yield* assertNothing(folder)
        assert.strictEqual(drafts, 2)
      }))

    it.effect("leaves nothing behind if it is interrupted", () =>
      inStore(function*(folder) {
        const store = yield* FileStore
        const halfway = yield* Deferred.make<void>()
        const stuck = begun.pipe(
          Stream.concat(Stream.fromEffect(Effect.andThen(Deferred.succeed(halfway, undefined), Effect.never)))
        )
        const fiber = yield* Effect.forkChild(store.write(stuck))
        yield* Deferred.await(halfway)
        const [name] = yield* folder.names("tmp")
        const draft = yield* Effect.promise(() => Fs.stat(join(folder.directory, "tmp", name!)))
        assert.isAbove(draft.size, 1024 * 1024)
        assert.strictEqual(draft.mode & 0o777, 0o600)
        yield* Fiber.interrupt(fiber)
        yield* assertNothing(folder)
      }))
  })

  describe(`remove in ${place}`, () => {
    it.effect("deletes the named files and ignores missing ones", () =>
      inStore(function*({ names }) {
        const store = yield* FileStore
        const [one, two, kept] = [yield* write(bytesOf(1)), yield* write(bytesOf(2)), yield* write(bytesOf(3))]
        yield* store.remove([one.storageKey, "0".repeat(32), two.storageKey, one.storageKey])
        assert.deepStrictEqual(yield* names("files"), [kept.storageKey])
        yield* assertReads(kept, bytesOf(3))
        assert.strictEqual(yield* assertBroken("removed", one, bytesOf(1)), 0)
        yield* store.remove([])
      }))
  })
}
