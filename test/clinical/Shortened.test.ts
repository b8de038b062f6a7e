import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { attachment } from "../../src/clinical/Attachment.ts"
import { codeOf, codeText, codeTexts } from "../../src/clinical/Coding.ts"
import { dateText } from "../../src/clinical/DateText.ts"
import { element } from "../../src/clinical/Element.ts"
import { parse } from "../../src/clinical/ExactJson.ts"
import { humanName } from "../../src/clinical/HumanName.ts"
import { quantity } from "../../src/clinical/Quantity.ts"
import { reference } from "../../src/clinical/Reference.ts"
import { shortened } from "../../src/clinical/Shortened.ts"
import { words } from "../../src/clinical/Words.ts"

const titleOf = () => undefined

const hl7 = "http://terminology.hl7.org/CodeSystem"

describe("A very long value", () => {
  const many = 3_000_000
  it("A long value of any type is cut to about 100,000 characters", () => {
    const grow = "\u0130\ufdfa\u1f82".repeat(many / 3)
    const hostile: ReadonlyArray<readonly [(json: unknown, title: typeof titleOf) => string | null, unknown]> = [
      [codeText, { text: grow }],
      [codeText, { coding: [{ code: grow, system: `${hl7}/a`, display: null }] }],
      [codeOf, { coding: [{ code: "1", system: `${hl7}/${"a-".repeat(many)}` }] }],
      [codeTexts, Array.from({ length: 40 }, (_, n) => ({ text: `${n} `.repeat(20_000) }))],
      [humanName, { given: [grow], family: grow }],
      [reference, { reference: "Aa/1/".repeat(many) }],
      [element, { ["aB".repeat(many)]: "x" }],
      [element, { url: "a#".repeat(many), valueString: grow }],
      [dateText, `2019-03-15T14:05:00.${"1".repeat(many)}Z`],
      [quantity, parse(`{"value":1.${"0".repeat(many)}}`)],
      [attachment, { title: grow, data: "A ".repeat(many) }]
    ]
    for (const [read, json] of hostile) assert.isBelow(read(json, titleOf)?.length ?? 0, 100_200, read.name)
  })

  it("A long code is not split into words, and a long attachment is shown by its size", () => {
    assert.strictEqual(words("aB".repeat(101)), "aB".repeat(101))
    assert.strictEqual(attachment({ data: "QUJD\r\n".repeat(2_000_000) }), "6000000 bytes")
  })
})

describe("A text of more than 4,000 characters", () => {
  it.prop(
    "Shortening first to a larger limit and then to a smaller one equals shortening to the smaller one",
    [
      Schema.String.check(Schema.isMaxLength(500)),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
    ],
    ([text, more, limit]) => {
      assert.strictEqual(shortened(shortened(text, limit + more), limit), shortened(text, limit))
    }
  )

  it("A shortened text ends with the count of omitted characters, and no character is cut in half", () => {
    assert.strictEqual(shortened("x".repeat(4000)), "x".repeat(4000))
    assert.strictEqual(shortened("𝔊".repeat(4000)), "𝔊".repeat(4000))
    assert.strictEqual(shortened("x".repeat(4003)), `${"x".repeat(4000)}... (3 more characters in record.fhir.json)`)
    assert.strictEqual(shortened("𝔊".repeat(4001)), `${"𝔊".repeat(4000)}... (1 more characters in record.fhir.json)`)
  })
})
