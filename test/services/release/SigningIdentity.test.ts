import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { generateKeyPairSync } from "node:crypto"
import { sealingWith } from "../../../src/services/release/SigningIdentity.ts"

const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" })

const certificate = {
  identity: { key, certificates: [] },
  validFrom: new Date("2030-01-02T12:00:00Z"),
  validTo: new Date("2030-03-01T06:00:00Z")
}

const signs = "signs"

const refused = "SigningNotConfigured"

const begins =
  "Error The certificate that seals releases begins on 2030-01-02: until then signing a release answers 503"

const ends = "Warn The certificate that seals releases ends on 2030-03-01: " +
  "from then on signing a release answers 503, so renew it and restart"

const ended = "Error The certificate that seals releases ended on 2030-03-01: " +
  "signing a release answers 503 until it is renewed and the service restarts"

describe("A certificate that seals releases", () => {
  it.effect("signs only while it is valid, and the log says daily if it is not valid or ends within 30 days", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${[message].flat().join(" ")}`))
    return Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2030-01-01T00:00:00Z"))
      const { identity } = yield* sealingWith(certificate)
      const at = Effect.fnUntraced(function*(time: string) {
        yield* TestClock.setTime(Date.parse(time))
        const answer = yield* Effect.match(identity, { onSuccess: () => signs, onFailure: ({ _tag }) => _tag })
        return [answer, ...lines.splice(0)]
      })
      assert.deepStrictEqual(yield* at("2030-01-01T00:00:00Z"), [refused, begins])
      assert.deepStrictEqual(yield* at("2030-01-02T11:59:59.999Z"), [refused, begins])
      assert.deepStrictEqual(yield* at("2030-01-02T12:00:00Z"), [signs])
      assert.deepStrictEqual(yield* at("2030-01-30T06:00:00Z"), [signs])
      assert.deepStrictEqual(yield* at("2030-01-30T12:00:00Z"), [signs, ends])
      assert.deepStrictEqual(yield* at("2030-02-28T11:59:59Z"), [signs, ...Array(28).fill(ends)])
      assert.deepStrictEqual(yield* at("2030-03-01T05:59:59.999Z"), [signs, ends])
      assert.deepStrictEqual(yield* at("2030-03-01T06:00:00Z"), [refused, ended])
      assert.deepStrictEqual(yield* at("2030-03-03T06:00:00Z"), [refused, ended, ended])
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  })
})
