import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { ExactNumber, parse } from "../../src/clinical/ExactJson.ts"

const exact = (source: string) => new ExactNumber(source)

describe("Exact JSON", () => {
  it.each([
    ["1.00", exact("1.00")],
    [" 1.0 ", exact("1.0")],
    ["-1.000000000000000000E+245", exact("-1.000000000000000000E+245")],
    ["1e999", exact("1e999")],
    ["-0", exact("-0")],
    ["66.899999999999991", exact("66.899999999999991")],
    ["12345678901234567890", exact("12345678901234567890")],
    ["5.4", 5.4],
    ["0", 0],
    ["{\"a\":[1,2.50,\"1.00\"]}", { a: [1, exact("2.50"), "1.00"] }],
    ["[1.0,2.0,3,\n4.0 ]", [exact("1.0"), exact("2.0"), 3, exact("4.0")]],
    ["{\"time\":\"12:05:00.000\",\"a\":null,\"b\":true}", { time: "12:05:00.000", a: null, b: true }],
    ["{\"escaped\":\"\\\":1.00,\",\"n\":1}", { escaped: "\":1.00,", n: 1 }]
  ])("%s", (text, value) => {
    assert.deepStrictEqual(parse(text), value)
  })

  it.effect.prop(
    "Every number keeps its digits at any place",
    { whole: Schema.Int, fraction: Schema.String.check(Schema.isPattern(/^[0-9]{0,25}$/)), exponent: Schema.Int },
    ({ exponent, fraction, whole }) =>
      Effect.sync(() => {
        for (const number of [`${whole}`, fraction && `${whole}.${fraction}`, `${whole}e${exponent}`].filter(Boolean)) {
          const read = parse(`{"x": [ ${number}\n,{"value":${number}}]}`) as any
          for (const value of [read.x[0], read.x[1].value]) {
            assert.strictEqual(value instanceof ExactNumber ? value.source : String(value), number)
          }
        }
      }),
    { arbitrary: { runs: 300 } }
  )

  it("The parser accepts exactly what JSON.parse accepts", () => {
    const file = new URL("../fixtures/malformed-json/jsontestsuite.json.gz", import.meta.url)
    const cases: ReadonlyArray<{ readonly name: string; readonly base64: string }> = JSON.parse(
      gunzipSync(readFileSync(file)).toString()
    )
    assert.isAbove(cases.length, 150)
    const outcome = (read: (text: string) => unknown, text: string) => {
      try {
        read(text)
        return "taken"
      } catch (error) {
        return (error as Error).name
      }
    }
    for (const { base64, name } of cases) {
      const text = Buffer.from(base64, "base64").toString()
      assert.strictEqual(outcome(parse, text), outcome(JSON.parse, text), name)
    }
  })
})
