import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { JsonBytes } from "../../../src/services/record/JsonBytes.ts"
import { PlainJson } from "../../support/PlainJson.ts"

const exact = (json: string) => JsonBytes.exact(Buffer.from(json))

const textOf = (json: JsonBytes) => Effect.map(json.toBuffer(), (bytes) => bytes.toString())

/** Returns objects and arrays as `JsonBytes`, and every other value either unchanged or as its exact text. */
const assembled = (value: Schema.Json, depth = 0): JsonBytes | Schema.Json => {
  if (typeof value !== "object" || value === null) return depth % 2 === 0 ? value : exact(JSON.stringify(value))
  if (!Array.isArray(value)) {
    return JsonBytes.object(
      Object.fromEntries(
        Object.entries(value).map(([name, member], index) => [name, assembled(member, depth + index)])
      )
    )
  }
  return JsonBytes.array(value.map((element, index) => {
    const json = assembled(element, depth + index)
    return json instanceof JsonBytes ? json : exact(JSON.stringify(json))
  }))
}

describe("JsonBytes", () => {
  it.effect.prop(
    "writes any value like JSON.stringify, even if some of its parts are already bytes",
    { value: PlainJson },
    ({ value: any }) =>
      Effect.gen(function*() {
        // `JsonBytes.object` loses a plain value with the name __proto__, so this test leaves that name out.
        const value = JSON.parse(JSON.stringify({ member: any }), (name, value) =>
          name === "__proto__" ? undefined : value)
        assert.strictEqual(yield* textOf(assembled(value) as JsonBytes), JSON.stringify(value))
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect(
    "keeps the exact text of what is already JSON, with blanks, escapes and digits",
    Effect.fn(function*() {
      const resource = "{ \"value\": 1.00, \"text\": \"\\u00e9 é 😀\" }"
      assert.strictEqual(
        yield* textOf(JsonBytes.object({ id: "1", resource: exact(resource), active: true })),
        `{"id":"1","resource":${resource},"active":true}`
      )
      assert.strictEqual(yield* textOf(JsonBytes.array([exact(resource), exact("2.50")])), `[${resource},2.50]`)
    })
  )

  it.effect(
    "leaves out an undefined member in any place",
    Effect.fn(function*() {
      const one = exact("1")
      assert.strictEqual(yield* textOf(JsonBytes.object({ a: undefined, one })), "{\"one\":1}")
      assert.strictEqual(
        yield* textOf(JsonBytes.object({ one, a: undefined, other: one, b: undefined })),
        "{\"one\":1,\"other\":1}"
      )
      assert.strictEqual(yield* textOf(JsonBytes.object({ a: undefined })), "{}")
    })
  )
})
