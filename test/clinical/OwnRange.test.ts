import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { compareDecimals } from "../../src/clinical/Decimal.ts"
import { rowOf } from "../../src/clinical/Reading.ts"

/** The flags of a result. A number in quotation marks after `#` stands as it is written: `"#1.00"`. */
const flags = (result: object) =>
  rowOf(
    "Observation",
    "1",
    JSON.stringify({ resourceType: "Observation", code: { text: "Creatinine" }, ...result })
      .replaceAll(/"#(-?\d[^"]*)"/g, "$1"),
    () => undefined
  ).flags

const mg = (value: string, more: object = {}) => ({ value: `#${value}`, unit: "mg/dL", ...more })

const usual = { low: mg("0.6"), high: mg("1.2") }

describe("A value against its own reference range", () => {
  it.each([
    ["6.9", ["Above range"]],
    ["1.2", []],
    ["1.20", []],
    ["1.2000000000000000000001", ["Above range"]],
    ["0.6", []],
    ["0.59", ["Below range"]],
    ["-1", ["Below range"]],
    ["6.9E+1", ["Above range"]],
    ["1.0E-1", ["Below range"]]
  ])("%s mg/dL with the range 0.6 to 1.2 mg/dL has the flags %j", (value, expected) => {
    assert.deepStrictEqual(flags({ valueQuantity: mg(value), referenceRange: [usual] }), expected)
  })

  it("Decimals are compared as they are written, not as JavaScript rounds them", () => {
    const range = (high: string) => ({ valueQuantity: mg("66.899999999999991"), referenceRange: [{ high: mg(high) }] })
    assert.deepStrictEqual(flags(range("66.9")), [])
    assert.deepStrictEqual(flags(range("66.89999999999999")), ["Above range"])
    assert.deepStrictEqual(
      flags({ valueQuantity: mg("0.1000000000000000055"), referenceRange: [{ high: mg("0.1") }] }),
      ["Above range"]
    )
  })

  it("A range with one bound is enough", () => {
    assert.deepStrictEqual(flags({ valueQuantity: mg("9"), referenceRange: [{ high: mg("5") }] }), ["Above range"])
    assert.deepStrictEqual(flags({ valueQuantity: mg("1"), referenceRange: [{ low: mg("5") }] }), ["Below range"])
    assert.deepStrictEqual(flags({ valueQuantity: mg("9"), referenceRange: [{ low: mg("5") }] }), [])
    assert.deepStrictEqual(flags({ valueInteger: 9, referenceRange: [{ high: { value: 5 } }] }), ["Above range"])
  })

  it.each([
    ["an interpretation", { interpretation: [{ coding: [{ code: "N" }] }] }],
    ["two ranges", { referenceRange: [usual, usual] }],
    ["a range in another unit", { referenceRange: [{ high: { value: 1.2, unit: "mmol/L" } }] }],
    ["a range without a unit", { referenceRange: [{ high: { value: 1.2 } }] }],
    ["bounds in two units", { referenceRange: [{ ...usual, low: { value: 0.6, unit: "mmol/L" } }] }],
    ["a therapeutic range", { referenceRange: [{ ...usual, type: { coding: [{ code: "treatment" }] } }] }],
    ["a range for some people", { referenceRange: [{ ...usual, appliesTo: [{ text: "Women" }] }] }],
    ["a range for an age", { referenceRange: [{ ...usual, age: { low: { value: 60, unit: "years" } } }] }],
    ["a range in words", { referenceRange: [{ text: "0.6 to 1.2" }] }],
    ["a range with its ends exchanged", { referenceRange: [{ low: mg("1.2"), high: mg("0.6") }] }],
    ["a bound with a comparator", { referenceRange: [{ high: mg("1.2", { comparator: "<" }) }] }],
    ["a status that withdraws it", { status: "entered-in-error" }],
    ["no number", { valueQuantity: { unit: "mg/dL" } }]
  ])("A value with %s has no mark from arithmetic", (_, more) => {
    const said = flags({ valueQuantity: mg("6.9"), referenceRange: [usual], ...more })
    assert.isFalse(said.some((flag) => flag.endsWith(" range")), said.join())
  })

  it("A range of the type “normal” is the usual one", () => {
    const type = { coding: [{ code: "normal" }] }
    assert.deepStrictEqual(flags({ valueQuantity: mg("6.9"), referenceRange: [{ ...usual, type }] }), ["Above range"])
  })

  it("Units with equal codes are one unit, however they are written; units with different codes are two", () => {
    const pressure = (unit: string, code: string) => ({ unit, code, system: "http://unitsofmeasure.org" })
    const result = (unit: object) =>
      flags({
        valueQuantity: { value: 190, ...pressure("mmHg", "mm[Hg]") },
        referenceRange: [{ high: { value: 140, ...unit } }]
      })
    assert.deepStrictEqual(result(pressure("mm Hg", "mm[Hg]")), ["Above range"])
    assert.deepStrictEqual(result(pressure("mmHg", "kPa")), [])
    assert.deepStrictEqual(result({ unit: "mmHg" }), ["Above range"])
  })

  it.each([
    ["<", "5", []],
    [">", "5", ["Above range"]],
    [">=", "5", ["Above range"]],
    [">", "1.2", ["Above range"]],
    [">=", "1.2", []],
    [">", "1", []],
    ["<", "0.6", ["Below range"]],
    ["<=", "0.6", []],
    ["<=", "0.5", ["Below range"]],
    ["<", "1", []]
  ])("The value %s %s has the flags %j for the range 0.6 to 1.2", (comparator, value, expected) => {
    assert.deepStrictEqual(flags({ valueQuantity: mg(value, { comparator }), referenceRange: [usual] }), expected)
  })

  it("A component is compared with its own range and names itself", () => {
    const component = { code: { text: "Systolic" }, valueQuantity: mg("190"), referenceRange: [{ high: mg("140") }] }
    assert.deepStrictEqual(flags({ component: [component] }), ["Systolic: Above range"])
    assert.deepStrictEqual(flags({ component: [component], interpretation: [{ coding: [{ code: "H" }] }] }), ["High"])
  })
})

describe("Decimals", () => {
  const Part = Schema.Int.check(Schema.isBetween({ minimum: -99_999, maximum: 99_999 }))
  const Exponent = Schema.Int.check(Schema.isBetween({ minimum: -30, maximum: 30 }))

  /** The decimal as an integer of units of 10^-40. */
  const exact = (mantissa: number, exponent: number) => BigInt(mantissa) * 10n ** BigInt(exponent + 40)

  /** Ways to write the same decimal. */
  const written = (mantissa: number, exponent: number) => [
    `${mantissa}E${exponent}`,
    `${mantissa}.000e${exponent}`,
    `${mantissa < 0 ? "-" : ""}${String(Math.abs(mantissa)).padStart(6, "0").replace(/^(\d)/, "$1.")}E${exponent + 5}`
  ]

  it.effect.prop(
    "Two decimals compare as their exact values, however they are written",
    { a: Part, b: Part, e: Exponent, f: Exponent },
    ({ a, b, e, f }) =>
      Effect.sync(() => {
        const difference = exact(a, e) - exact(b, f)
        const expected = difference > 0n ? 1 : difference < 0n ? -1 : 0
        for (const one of written(a, e)) {
          for (const other of written(b, f)) {
            assert.strictEqual(Math.sign(compareDecimals(one, other)!), expected, `${one} ${other}`)
          }
          for (const same of written(a, e)) assert.strictEqual(compareDecimals(one, same), 0, `${one} ${same}`)
        }
      }),
    { arbitrary: { runs: 300 } }
  )

  it("A text that is no decimal, or has an exponent beyond counting, has no order", () => {
    for (const text of ["", "high", "1.", ".5", "1E", "1E99999999999", "--1", "Infinity"]) {
      assert.isNull(compareDecimals(text, "1"), text)
    }
    assert.strictEqual(Math.sign(compareDecimals("-1.000000000000000000E+245", "1")!), -1)
    assert.strictEqual(compareDecimals("-0.0", "0"), 0)
  })
})
