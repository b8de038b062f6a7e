import { it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { argon2Sync } from "node:crypto"
import { assert, describe } from "vitest"
import { type Asker, Password } from "../../../../src/services/account/provider/Password.ts"

const withPassword = <A, E>(use: (password: Password["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Password, use).pipe(Effect.provide(Password.layer))

describe("Password", () => {
  it.effect("stores argon2id as a PHC string with a fresh salt and at least OWASP's lowest cost", () =>
    withPassword((password) =>
      Effect.gen(function*() {
        const stored = yield* password.hash("correct horse")
        const [, scheme, version, cost, salt, tag] = stored.split("$")
        assert.deepStrictEqual([scheme, version], ["argon2id", "v=19"])
        const [memory, passes, parallelism] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(cost!)!.slice(1).map(Number)
        assert.isAtLeast(memory!, 19_456)
        assert.isAtLeast(passes!, 2)
        assert.notInclude(stored, "correct horse")
        assert.notStrictEqual(yield* password.hash("correct horse"), stored)
        const nonce = Buffer.from(salt!, "base64")
        assert.isAtLeast(nonce.length, 16)
        const derived = argon2Sync("argon2id", {
          message: "correct horse",
          nonce,
          parallelism: parallelism!,
          tagLength: 32,
          memory: memory!,
          passes: passes!
        })
        assert.strictEqual(derived.toString("base64").replace(/=+$/, ""), tag)
      })
    ))

  it.effect("accepts only the right password", () =>
    withPassword((password) =>
      Effect.gen(function*() {
        const stored = yield* password.hash("pässwörd 🐎")
        assert.isTrue(yield* password.verify("pässwörd 🐎", stored, "stranger"))
        for (const wrong of ["pässwörd 🐎 ", "Pässwörd 🐎", "", "pässwörd"]) {
          assert.isFalse(yield* password.verify(wrong, stored, "stranger"))
        }
        assert.isFalse(yield* password.verify("", undefined, "stranger"))
      })
    ))

  it.effect("reads a stored hash of another cost", () =>
    withPassword((password) =>
      Effect.gen(function*() {
        const nonce = Buffer.from("0123456789abcdef")
        const cost = { memory: 1024, passes: 3, parallelism: 2 }
        const tag = argon2Sync("argon2id", { message: "old", nonce, tagLength: 32, ...cost })
        const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "")
        const stored = `$argon2id$v=19$m=1024,t=3,p=2$${unpadded(nonce)}$${unpadded(tag)}`
        assert.isTrue(yield* password.verify("old", stored, "stranger"))
        assert.isFalse(yield* password.verify("new", stored, "stranger"))
      })
    ))

  it.effect("works as hard for an unknown e-mail as for a wrong password", () =>
    withPassword((password) =>
      Effect.gen(function*() {
        const stored = yield* password.hash("correct horse")
        const work = Effect.fnUntraced(function*(hash: string | undefined) {
          const before = process.cpuUsage()
          for (let index = 0; index < 4; index++) yield* password.verify("wrong", hash, "stranger")
          const { system, user } = process.cpuUsage(before)
          return system + user
        })
        yield* password.verify("wrong", stored, "stranger")
        const known = yield* work(stored)
        const unknown = yield* work(undefined)
        // This is the processor time of all threads. Without a hash for the unknown e-mail, it would be a thousandth.
        assert.isAbove(unknown, known / 5)
        assert.isBelow(unknown, known * 5)
      })
    ))

  it.effect("refuses a request that would wait behind a full queue, and recovers", () =>
    withPassword((password) =>
      Effect.gen(function*() {
        const half = `$argon2id$v=19$m=19456,t=1,p=1$${"A".repeat(22)}$${"A".repeat(43)}`
        const exits = yield* Effect.all(
          Array.from({ length: 70 }, () => Effect.exit(password.verify("wrong", half, "stranger"))),
          {
            concurrency: "unbounded"
          }
        )
        const refused = exits.filter(Exit.isFailure)
        assert.strictEqual(exits.length - refused.length, 64)
        assert.match(`${refused[0]}`, /ServiceUnavailable/)
        assert.isFalse(yield* password.verify("wrong", undefined, "stranger"))
      })
    ))

  it.effect("serves a known provider after at most one waiting stranger, however many wait", () =>
    withPassword((password) =>
      Effect.gen(function*() {
        const done: Array<string> = []
        const ask = (name: string, asker: Asker, cost: string) =>
          Effect.tap(
            Effect.exit(password.verify("wrong", `$argon2id$v=19$${cost}$${"A".repeat(22)}$${"A".repeat(43)}`, asker)),
            () => Effect.sync(() => done.push(name))
          )
        // The long hash keeps one of the two slots busy. All short hashes share the other slot, so they end in their
        // order.
        const long = yield* Effect.forkChild(ask("long", "stranger", "m=19456,t=40,p=1"))
        const strangers = yield* Effect.forEach(
          Array.from({ length: 40 }),
          () => Effect.forkChild(ask("stranger", "stranger", "m=64,t=1,p=1"))
        )
        yield* Effect.yieldNow
        assert.deepStrictEqual(done, [])
        yield* ask("known", "known", "m=64,t=1,p=1")
        // Besides `known`, at most two strangers have ended: one that was in progress, and one that was next.
        assert.isAtMost(done.length, 3)
        yield* Effect.forEach([long, ...strangers], Fiber.join)
        assert.lengthOf(done, 42)
      })
    ))
})
