import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { cutElements, depthOf } from "../../../src/services/record/JsonCut.ts"
import { PlainJson } from "../../support/PlainJson.ts"

/** Returns the outer text, and the text and depth of each slice. */
const cut = (text: string) => {
  const bytes = Buffer.from(text)
  const { outer, slices } = cutElements(bytes, "resources")
  return {
    outer,
    slices: slices.map(({ end, start }) => bytes.subarray(start, end).toString()),
    depths: slices.map((slice) => slice.depth)
  }
}

const parses = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const measure = (value: Schema.Json): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(measure)) : 0

const depth = (text: string) => depthOf(Buffer.from(text))

describe("cutElements", () => {
  it("cuts out each element's exact text, and leaves in its array only the first index and the count", () => {
    const first = "{ \"id\" : \"a\", \"value\": 1.00 }"
    const text = `{"statuses":{"A":"complete"},"resources":{"A":[ ${first} ,-1.0E+245],"B": [], "C":[[{}]]}}`
    const { depths, outer, slices } = cut(text)
    assert.deepStrictEqual(JSON.parse(outer), {
      statuses: { A: "complete" },
      resources: { A: [0, 2], B: [], C: [2, 1] }
    })
    assert.deepStrictEqual(slices, [first, "-1.0E+245", "[{}]"])
    assert.deepStrictEqual(depths, [1, 0, 2])
  })

  it.each([
    ["another member", "{\"other\":{\"A\":[1]}}"],
    ["an array where the object belongs", "{\"resources\":[[1]]}"],
    ["a member deeper down", "{\"x\":{\"resources\":{\"A\":[1]}}}"],
    ["a string value that equals the member's name", "{\"x\":\"resources\",\"y\":{\"A\":[1]}}"],
    ["objects where the arrays belong", "{\"resources\":{\"A\":{\"B\":[1]}}}"],
    ["no object at all", "[{\"resources\":{\"A\":[1]}}]"]
  ])("cuts nothing out of %s", (_name, text) => {
    assert.deepStrictEqual(cut(text), { outer: text, slices: [], depths: [] })
  })

  it("returns the elements of both members if two have the same name", () => {
    assert.deepStrictEqual(cut("{\"resources\":{\"A\":[1]},\"resources\":{\"A\":[2]}}").slices, ["1", "2"])
  })

  it("recognises the member's name if it is written with escapes", () => {
    assert.deepStrictEqual(cut("{\"r\\u0065sources\":{\"A\":[1]}}").slices, ["1"])
  })

  it("is not misled by brackets, commas and escaped quotes within strings", () => {
    const tricky = "\"]},{[\\\"\\\\\""
    assert.deepStrictEqual(cut(`{"a":${tricky},"resources":{${tricky}:[${tricky},{"x":${tricky}}]}}`).slices, [
      tricky,
      `{"x":${tricky}}`
    ])
  })

  const Document = Schema.Struct({
    before: PlainJson,
    elements: Schema.Array(PlainJson).check(Schema.isMaxLength(4)),
    more: Schema.Array(PlainJson).check(Schema.isMaxLength(4)),
    indent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
  })
  const render = ({ before, elements, indent, more }: typeof Document.Type) =>
    JSON.stringify({ before, resources: { A: elements, B: more } }, null, indent)

  it.prop(
    "returns every element of any document, and an outer text of the same shape",
    { document: Document },
    ({ document }) => {
      const { depths, outer, slices } = cut(render(document))
      const elements = [...document.elements, ...document.more]
      assert.deepStrictEqual(slices.map((slice) => JSON.parse(slice)), JSON.parse(JSON.stringify(elements)))
      const { resources: { A, B } } = JSON.parse(outer)
      const [ofA, ofB] = [document.elements.length, document.more.length]
      assert.deepStrictEqual([A, B], [ofA === 0 ? [] : [0, ofA], ofB === 0 ? [] : [ofA, ofB]])
      assert.deepStrictEqual(depths, elements.map(measure))
    },
    { arbitrary: { runs: 300 } }
  )

  // The sync parses only the outer text and the slices, so all of these must be valid exactly when the whole body is
  // valid.
  const never = (text: string) => {
    const { outer, slices } = cut(text)
    assert.strictEqual(parses(outer) && slices.every(parses), parses(text), text)
  }

  it("never makes a malformed resource look well-formed", () => {
    const file = new URL("../../fixtures/malformed-json/jsontestsuite.json.gz", import.meta.url)
    for (const { base64 } of JSON.parse(gunzipSync(readFileSync(file)).toString())) {
      const sample = Buffer.from(base64, "base64").toString()
      never(`{"resources":{"A":[${sample}]}}`)
      never(`{"resources":{"A":[{},${sample},{}],"B":[${sample}]}}`)
    }
  })

  const slips = ["", ..."{}[],:\"\\0-et \n\t/\u00e9", "],[", "},{", "1 2", "[]"]

  it("never makes a text with any single error look well-formed", () => {
    const text =
      "{\"statuses\":{\"A\":\"complete\"},\"resources\":{\"A\":[{\"id\":\"a\"},[1,2], -3.0 ],\"B\":[],\"C\":[\"x\",null]}}"
    for (let at = 0; at <= text.length; at++) {
      for (const slip of slips) for (const remove of [0, 1]) never(text.slice(0, at) + slip + text.slice(at + remove))
    }
  })

  const Damage = Schema.Struct({
    at: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    remove: Schema.Literals([0, 1, 2]),
    insert: Schema.Literals(slips)
  })
  it.prop(
    "never makes a malformed document look well-formed",
    { document: Document, damage: Damage },
    ({ damage, document }) => {
      const text = render(document)
      const at = Math.floor(damage.at * text.length)
      never(text.slice(0, at) + damage.insert + text.slice(at + damage.remove))
    },
    { arbitrary: { runs: 1000 } }
  )
})

describe("depthOf", () => {
  it.each<[number, string]>([
    [0, ""],
    [0, "1"],
    [0, "\"[[[\""],
    [1, "[]"],
    [1, "{\"a\":\"{{\"}"],
    [2, "[{},[],{}]"],
    [3, "[[],[[]]]"],
    [1, "[\"\\\"[[\"]"],
    [1, "[\"unclosed [["]
  ])("is %i for %j", (expected, text) => {
    assert.strictEqual(depth(text), expected)
  })

  it("counts how deep the brackets go, whether or not they are closed", () => {
    assert.strictEqual(depth("[".repeat(64) + "]".repeat(64)), 64)
    assert.strictEqual(depth("{\"a\":[".repeat(50_000)), 100_000)
  })

  it.prop("is the depth of the parsed value, for any value", { value: PlainJson }, ({ value }) => {
    assert.strictEqual(depth(JSON.stringify(value)), measure(value))
  }, { arbitrary: { runs: 300 } })
})
