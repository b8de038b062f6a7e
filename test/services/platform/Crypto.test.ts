import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Schema } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { VeteranId } from "../../../src/domain/Id.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import type { Place } from "../../../src/services/platform/Envelope.ts"
import { settingsOf } from "../../support/SettingsOf.ts"
import { turnsDuring } from "./Turns.ts"

const key = (fill: number) => Buffer.alloc(32, fill).toString("base64")

const withKeys = (keys: string, secret = "an application secret of 32 bytes!") =>
  Layer.fresh(Crypto.layer).pipe(Layer.provide(settingsOf({ TOKEN_ENCRYPTION_KEY: keys, APP_SECRET: secret })))

const one = withKeys(`old:${key(1)}`)

const two = withKeys(`new:${key(2)},old:${key(1)}`)

const place: Place = {
  table: "health_record_items",
  column: "raw_ciphertext",
  row: "Condition/1",
  veteranId: VeteranId.make("v-1")
}

const text = Buffer.from("{\"resourceType\":\"Condition\"}")

const seal = (bytes: Uint8Array = text, at: Place = place) =>
  Crypto.use((crypto) => Effect.sync(() => crypto.seal(at, bytes)))

const opens = (envelope: Uint8Array, at: Place = place) =>
  Effect.exit(Crypto.use((crypto) => crypto.open(at, envelope)))

const assertBroken = (exit: Exit.Exit<Buffer, unknown>, what: string) => {
  assert.isTrue(Exit.isFailure(exit), `${what} opened`)
  assert.match(String(Exit.isFailure(exit) && exit.cause), /SealBroken/, what)
}

describe("seal and open", () => {
  it.effect.prop(
    "give back the bytes that were sealed, in a different envelope each time",
    { bytes: Schema.Uint8Array, times: Schema.Literals([1, 300]) },
    ({ bytes, times }) =>
      Effect.gen(function*() {
        const plaintext = Buffer.concat(Array.from({ length: times }, () => bytes))
        const envelope = yield* seal(plaintext)
        assert.deepStrictEqual(yield* opens(envelope), Exit.succeed(plaintext))
        assert.notDeepEqual(yield* seal(plaintext), envelope)
      }).pipe(Effect.provide(one)),
    { arbitrary: { runs: 200 } }
  )

  it.effect("lay the envelope out as format, key id, nonce, ciphertext and tag", () =>
    Effect.gen(function*() {
      const envelope = yield* seal()
      assert.deepStrictEqual(envelope.subarray(0, 5), Buffer.from("\x01\x03old", "latin1"))
      assert.strictEqual(envelope.length, 5 + 12 + text.length + 16)
    }).pipe(Effect.provide(one)))

  it.effect("compress from 8 KiB on, if that saves bytes", () =>
    Effect.gen(function*() {
      const overhead = 5 + 12 + 16
      const below = yield* seal(Buffer.alloc(8 * 1024 - 1, "a"))
      assert.deepStrictEqual([below[0], below.length], [1, 8 * 1024 - 1 + overhead])
      const above = yield* seal(Buffer.alloc(8 * 1024, "a"))
      assert.strictEqual(above[0], 2)
      assert.isBelow(above.length, 1024)
      const incompressible = pseudorandom(8 * 1024)
      const kept = yield* seal(incompressible)
      assert.deepStrictEqual([kept[0], kept.length], [1, incompressible.length + overhead])
    }).pipe(Effect.provide(one)))

  /**
   * From 65,792 bytes on, a zstd frame states its content's length in another form (RFC 8878, 3.1.1.1.4). From 262,145
   * bytes on, decompression takes several turns of the event loop.
   */
  it.effect.each([8_192, 65_791, 65_792, 262_144, 262_145])(
    "give back a text of %i bytes that is compressed",
    (length) =>
      Effect.gen(function*() {
        const envelope = yield* seal(Buffer.alloc(length, "a"))
        assert.strictEqual(envelope[0], 2)
        assert.deepStrictEqual(yield* opens(envelope), Exit.succeed(Buffer.alloc(length, "a")))
      }).pipe(Effect.provide(one))
  )

  it.effect("still open an envelope of 70,000 letters that an earlier version sealed", () =>
    Effect.gen(function*() {
      const sealed = "AgNvbGQqQFYp4JGzWMwEoCckOiIbhq14gr2xjyeQ+PHhEShHsM8D84iVaJY1/F9juncDKUDE1A=="
      assert.deepStrictEqual(yield* opens(Buffer.from(sealed, "base64")), Exit.succeed(Buffer.alloc(70_000, "a")))
    }).pipe(Effect.provide(one)))

  const large = [["noise", randomBytes(5_000_000)], ["one repeated byte", Buffer.alloc(20_000_000, 1)]] as const
  it.effect.each(large)(
    "leave turns of the event loop to other work while they open megabytes of %s",
    ([, bytes]) =>
      Effect.gen(function*() {
        const envelope = yield* seal(bytes)
        const { result, turns } = yield* turnsDuring(opens(envelope))
        assert.isTrue(Exit.isSuccess(result) && result.value.equals(bytes))
        assert.isAtLeast(turns, 5)
        envelope[envelope.length - 1]! ^= 1
        assertBroken(yield* opens(envelope), "a large envelope with a bit changed")
      }).pipe(Effect.provide(one))
  )

  it.effect("refuse an envelope at any place except its own", () =>
    Effect.gen(function*() {
      const envelope = yield* seal()
      const others: ReadonlyArray<Partial<Place>> = [
        { table: "provider_notes" },
        { column: "body_ciphertext" },
        { row: "Condition/2" },
        { row: "Procedure/1" },
        { veteranId: VeteranId.make("v-2") }
      ]
      for (const other of others) assertBroken(yield* opens(envelope, { ...place, ...other }), JSON.stringify(other))
    }).pipe(Effect.provide(one)))

  it.effect("refuse an envelope with any one bit changed, small or compressed", () =>
    Effect.gen(function*() {
      for (const bytes of [text, Buffer.alloc(8 * 1024, "a")]) {
        const envelope = yield* seal(bytes)
        for (let at = 0; at < envelope.length; at++) {
          const changed = Buffer.from(envelope)
          changed[at]! ^= 1 << (at % 8)
          assertBroken(yield* opens(changed), `byte ${at} of ${envelope.length}`)
        }
      }
    }).pipe(Effect.provide(one)))

  it.effect("refuse an envelope that is cut anywhere, even within its tag, or extended", () =>
    Effect.gen(function*() {
      const envelope = yield* seal()
      for (let length = 0; length < envelope.length; length++) {
        assertBroken(yield* opens(envelope.subarray(0, length)), `the first ${length} bytes`)
      }
      assertBroken(yield* opens(Buffer.concat([envelope, Buffer.alloc(1)])), "one byte more")
    }).pipe(Effect.provide(one)))
})

const pseudorandom = (length: number) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, n) => createHmac("sha256", "seed").update(`${n}`).digest())
  )
    .subarray(0, length)

describe("The keyring", () => {
  it.effect("seals with its first key and opens with all", () =>
    Effect.gen(function*() {
      const old = yield* seal().pipe(Effect.provide(one))
      const fresh = yield* seal().pipe(Effect.provide(two))
      assert.strictEqual(fresh.subarray(2, 5).toString(), "new")
      assert.deepStrictEqual(yield* opens(old).pipe(Effect.provide(two)), Exit.succeed(text))
      assert.deepStrictEqual(yield* opens(fresh).pipe(Effect.provide(two)), Exit.succeed(text))
    }))

  it.effect("refuses an envelope sealed with an unknown key, even if the id of that key is known", () =>
    Effect.gen(function*() {
      const fresh = yield* seal().pipe(Effect.provide(two))
      assertBroken(yield* opens(fresh).pipe(Effect.provide(one)), "an unknown key id")
      assertBroken(yield* opens(fresh).pipe(Effect.provide(withKeys(`new:${key(3)}`))), "another key of that id")
    }))

  it.effect("refuses an envelope whose key id was exchanged, even if both ids name the same key", () =>
    Effect.gen(function*() {
      const envelope = yield* seal().pipe(Effect.provide(one))
      envelope.write("new", 2)
      const both = withKeys(`old:${key(1)},new:${key(1)}`)
      assertBroken(yield* opens(envelope).pipe(Effect.provide(both)), "an exchanged key id")
    }))
})

describe("keyedHash", () => {
  const hash = (purpose: string, ...parts: ReadonlyArray<string | Uint8Array>) =>
    Crypto.use((crypto) => Effect.sync(() => crypto.keyedHash(purpose)(...parts).toString("hex")))

  it.effect("is the same for the same purpose and parts, as text or as bytes", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* hash("content", "a", "é"), yield* hash("content", Buffer.from("a"), Buffer.from("é")))
      assert.lengthOf(yield* hash("content", "a"), 64)
    }).pipe(Effect.provide(one)))

  it.effect("differs by purpose, by application secret and by the boundaries of the parts", () =>
    Effect.gen(function*() {
      const hashes = [
        yield* hash("content", "ab", "c"),
        yield* hash("content", "a", "bc"),
        yield* hash("content", "abc"),
        yield* hash("content", "abc", ""),
        yield* hash("content", "", "abc"),
        yield* hash("content", "ab1:c"),
        yield* hash("content", Buffer.from("ab"), Buffer.from("c"), ""),
        yield* hash("cursor", "ab", "c"),
        yield* hash("content", "ab", "c").pipe(
          Effect.provide(withKeys(`old:${key(1)}`, "another application secret of 32 b"))
        )
      ]
      assert.strictEqual(new Set(hashes).size, hashes.length)
    }).pipe(Effect.provide(one)))
})
