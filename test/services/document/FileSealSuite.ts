import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import {
  assertBroken,
  assertReads,
  bytesOf,
  chunk,
  header,
  type InStore,
  sealedChunk,
  sha256,
  write
} from "./StoredFiles.ts"

/** The tests of the seal, for each place where files are kept. */
export const testSeal = (place: string, inStore: InStore) =>
  describe(`FileStore.read in ${place}`, () => {
    /** Fills ten chunks and a part of one more. A block has fewer than ten chunks. */
    const bytes = bytesOf(10 * chunk + 10)
    const count = 11
    const border = (n: number) => header.length + n * sealedChunk
    const changed = (sealed: Buffer, change: (copy: Buffer) => void) => {
      const copy = Buffer.from(sealed)
      change(copy)
      return copy
    }
    const flip = (at: number) => (copy: Buffer) => {
      copy[at]! ^= 1 << (at % 8)
    }
    const exchange = (a: number, b: number) => (copy: Buffer) => {
      const kept = Buffer.from(copy.subarray(border(a), border(a + 1)))
      copy.copyWithin(border(a), border(b), border(b + 1))
      kept.copy(copy, border(b))
    }

    // s3rver does not answer a request for a range of an empty object.
    const nothing = place.includes("s3rver") ? [] : [Buffer.alloc(0)]
    const tamperings: Record<string, (sealed: Buffer) => ReadonlyArray<Buffer>> = {
      "a bit changed in the header": (sealed) =>
        Array.from({ length: header.length }, (_, at) => changed(sealed, flip(at))),
      "a bit changed in a chunk": (sealed) =>
        Array.from({ length: count }, (_, n) => changed(sealed, flip(border(n) + ((n * 997) % 10)))),
      "a bit changed in a tag": (sealed) =>
        Array.from({ length: count }, (_, n) => changed(sealed, flip(Math.min(border(n + 1), sealed.length) - 1 - n))),
      "two chunks exchanged": (sealed) =>
        [[0, 1], [0, 9], [3, 4], [8, 9]].map(([a, b]) => changed(sealed, exchange(a!, b!))),
      "a chunk in another's place": (
        sealed
      ) => [changed(sealed, (copy) => copy.copyWithin(border(5), border(4), border(5)))],
      "a cut at a chunk's border": (sealed) => Array.from({ length: count }, (_, n) => sealed.subarray(0, border(n))),
      "a cut within a chunk": (sealed) =>
        Array.from({ length: count }, (_, n) => sealed.subarray(0, border(n) + 1 + n)),
      "a cut before the end or at the beginning": (
        sealed
      ) => [sealed.subarray(0, -1), sealed.subarray(1), ...nothing],
      "something added": (sealed) => [
        Buffer.concat([sealed, Buffer.alloc(1)]),
        Buffer.concat([sealed, sealed.subarray(border(10))]),
        Buffer.concat([sealed, sealed.subarray(border(1), border(2))])
      ]
    }

    it.effect.each(Object.keys(tamperings))("refuses %s", (name) =>
      inStore(function*({ replace, sealed }) {
        const file = yield* write(bytes)
        const original = yield* sealed(file)
        const versions = tamperings[name]!(original)
        for (const [n, version] of versions.entries()) {
          yield* replace(file, version)
          yield* assertBroken(`${name}, ${n}`, file, bytes)
        }
        yield* replace(file, original)
        yield* assertReads(file, bytes)
      }))

    it.effect("refuses a cut or extended file even if its row was changed to match", () =>
      inStore(function*({ replace, sealed }) {
        const file = yield* write(bytes)
        const original = yield* sealed(file)
        for (let n = 1; n < count; n++) {
          const beginning = bytes.subarray(0, n * chunk)
          yield* replace(file, original.subarray(0, border(n)))
          const row = { ...file, byteSize: beginning.length, sha256: sha256(beginning) }
          yield* assertBroken(`${n} chunks`, row, beginning)
        }
        yield* replace(file, original.subarray(0, header.length))
        yield* assertBroken("no chunk", { ...file, byteSize: -16 }, bytes)
        const longer = Buffer.concat([bytes.subarray(0, 10 * chunk), bytes.subarray(9 * chunk)])
        yield* replace(file, Buffer.concat([original.subarray(0, border(10)), original.subarray(border(9))]))
        yield* assertBroken("one more", { ...file, byteSize: longer.length, sha256: sha256(longer) }, longer)
      }))

    it.effect("refuses a changed first chunk before the stream starts", () =>
      inStore(function*({ replace, sealed }) {
        const store = yield* FileStore
        const file = yield* write(bytes)
        const original = yield* sealed(file)
        for (const at of [0, border(0), border(1) - 1]) {
          yield* replace(file, changed(original, flip(at)))
          assert.strictEqual((yield* Effect.flip(store.read(file)))._tag, "SealBroken")
        }
        for (const version of [original.subarray(0, -1), Buffer.concat([original, original])]) {
          yield* replace(file, version)
          assert.strictEqual((yield* Effect.flip(store.read(file)))._tag, "SealBroken")
        }
      }))

    it.effect("refuses two files of the same size that were exchanged, even together with their keys", () =>
      inStore(function*({ replace, sealed }) {
        const otherBytes = bytesOf(bytes.length, "other")
        const [one, other] = [yield* write(bytes), yield* write(otherBytes)]
        const [oneSealed, otherSealed] = [yield* sealed(one), yield* sealed(other)]
        yield* replace(one, otherSealed)
        yield* replace(other, oneSealed)
        yield* assertBroken("one", one, bytes)
        yield* assertBroken("other", other, otherBytes)
        const { fileKey, sha256 } = other
        yield* assertBroken("one with the other's key", { ...one, fileKey, sha256 }, otherBytes)
      }))

    it.effect("refuses a key, size or SHA-256 that is not the file's", () =>
      inStore(function*() {
        for (const content of [bytes, bytesOf(10), Buffer.alloc(0)]) {
          const file = yield* write(content)
          yield* assertBroken("a random key", { ...file, fileKey: bytesOf(32) }, content)
          yield* assertBroken("a short key", { ...file, fileKey: file.fileKey.subarray(1) }, content)
          for (const byteSize of [content.length - 1, content.length + 1, content.length + chunk, -1, NaN]) {
            yield* assertBroken(`${byteSize} bytes`, { ...file, byteSize }, content)
          }
          const held = yield* assertBroken("another SHA-256", { ...file, sha256: sha256(bytesOf(1)) }, content)
          // All chunks are authentic here, so the data before the last block does arrive.
          assert.strictEqual(held, content === bytes ? 8 * chunk : 0)
          yield* assertBroken("a short SHA-256", { ...file, sha256: file.sha256.subarray(1) }, content)
          yield* assertReads(file, content)
        }
      }))

    it.effect("refuses a file that was changed, cut or removed between the first check and the stream", () =>
      inStore(function*({ lose, replace, sealed }) {
        const file = yield* write(bytes)
        const original = yield* sealed(file)
        for (const version of [changed(original, flip(border(9))), original.subarray(0, -1), ...nothing]) {
          yield* replace(file, original)
          yield* assertBroken("changed", file, bytes, replace(file, version))
        }
        yield* replace(file, original)
        yield* assertBroken("removed", file, bytes, lose(file))
      }))

    it.effect("refuses a missing file", () =>
      inStore(function*() {
        const file = yield* write(bytes)
        assert.strictEqual(yield* assertBroken("missing", { ...file, storageKey: "0".repeat(32) }, bytes), 0)
      }))
  })
