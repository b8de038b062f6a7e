import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { assert, describe, test } from "vitest"
import { group } from "../../../src/http/wire/Group.ts"
import { ProofDrainer } from "../../../src/services/ledger/ProofDrainer.ts"

describe("A group of the contract", () => {
  test("accepts a handler that gets its services while the group is built", () => {
    const built = group("drainer", function*(handlers) {
      const { drainNow } = yield* ProofDrainer
      return handlers.handleAll({ drain: () => Effect.andThen(HttpServerRequest.HttpServerRequest, drainNow) })
    })
    assert.isTrue(Layer.isLayer(built))
  })

  test("is refused by the compiler if a handler takes a service from the request", () => {
    // @ts-expect-error: the request carries no ProofDrainer.
    const built = group("drainer", function*(handlers) {
      return handlers.handleAll({ drain: () => Effect.flatMap(ProofDrainer, ({ drainNow }) => drainNow) })
    })
    assert.isTrue(Layer.isLayer(built))
  })

  test("is refused by the compiler if a raw handler takes a service from the request", () => {
    // @ts-expect-error: the request carries no ProofDrainer.
    const built = group("drainer", function*(handlers) {
      return handlers.handleRaw("drain", () => Effect.flatMap(ProofDrainer, ({ drainNow }) => drainNow))
    })
    assert.isTrue(Layer.isLayer(built))
  })
})
