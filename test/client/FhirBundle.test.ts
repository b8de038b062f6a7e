import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { parseSearchPage } from "../../src/client/FhirBundle.ts"
import { PlainJson } from "../support/PlainJson.ts"
import { condition } from "./Upstream.ts"

describe("parseSearchPage", () => {
  const spaces = ["", " ", "\n\t", " \r\n "]
  const space = (seed: number) => spaces[seed % spaces.length]!

  it.effect.prop(
    "cuts each resource out of any well-formed text",
    {
      values: Schema.Array(PlainJson),
      seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
    },
    ({ seed, values }) =>
      Effect.sync(() => {
        const resources = values.map((value, index) => {
          const text = JSON.stringify(
            { ...Object(value), id: `r${index}`, resourceType: "Condition" },
            null,
            space(seed)
          )
          return text.isWellFormed() ? text : JSON.stringify({ id: `r${index}`, resourceType: "Condition" })
        })
        const s = space(seed + 1)
        const entries = resources.map((text) =>
          `${s}{"link":[{"resource":"]}"}]${s},"resource"${s}:${s}${text}${s},"search"${s}:{"mode":"match"}}${s}`
        )
        const text = `${s}{"entry":[{"resource":1}],"resourceType":"Bundle","type":"searchset",` +
          `"\\u0065ntry"${s}:${s}[${entries.join(",")}],"total":${resources.length},"extra":"\\\\\\"]}"}${s}`
        const page = Option.getOrThrow(parseSearchPage(text, "Condition"))
        const kept = resources.filter((resource) => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(resource))
        assert.deepStrictEqual(page.resources.map((resource) => resource.text), kept)
        assert.strictEqual(page.leftOut, resources.length - kept.length)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect("finds a resource in a bundle that also has members of every JSON type", () =>
    Effect.sync(() => {
      const scalars =
        `"a":1.00,"b":-1.000000000000000000000000000000000000E+245 ,"c":true,"d":null,"e":"\\\\","f":"\\"}","g":[],"h":{}`
      const resource = `{${scalars},"id":"a","resourceType":"Condition","z":1}`
      const text =
        `{${scalars},"resourceType":"Bundle","type":"searchset","entry":[{${scalars},"resource":${resource},"i":2}],"j":3}`
      const page = Option.getOrThrow(parseSearchPage(text, "Condition"))
      assert.deepStrictEqual(page.resources, [{ id: "a", text: resource, match: true, patient: undefined }])
    }))

  it.effect("reads only the last of two members with the same name, as JSON.parse does", () =>
    Effect.sync(() => {
      const text = `{"resourceType":"Bundle","type":"searchset","entry":[{"resource":${
        condition("a")
      }}],"entry":[{"resource":${condition("b")},"resource":${condition("c")}}]}`
      assert.deepStrictEqual(Option.getOrThrow(parseSearchPage(text, "Condition")).resources, [
        { id: "c", text: condition("c"), match: true, patient: undefined }
      ])
    }))
})
