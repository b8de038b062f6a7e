import { assert, describe, it } from "@effect/vitest"
import { textOf } from "../../src/clinical/JsonSpans.ts"
import { cutRecord } from "../../src/clinical/RecordCut.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** An answer of the record view with these resources, written as the service writes it. */
const answer = (...resources: ReadonlyArray<string>) => {
  const items = resources.map((resource, index) => `{"id":"${index}","fhirId":"a\\"}{","resource":${resource}}`)
  return `{"veteran":{"callSign":"\\"resource\\":{"},"grant":{"provider":{"displayName":"[é]"},"resourceTypes":["resource"]},` +
    `"sections":[{"resourceType":"Observation","items":[${
      items.join(",")
    }],"nextCursor":null}],"notes":[{"text":"}]"}]}`
}

const textsOf = (json: string) => {
  const bytes = bytesOf(json)
  const { answer, spans } = cutRecord(bytes)
  return { answer: answer as any, texts: spans.map((span) => textOf(bytes, span)) }
}

describe("Cutting the resources out of a record", () => {
  it("The text of each resource stays exactly the same", () => {
    const resources = [
      `{"valueQuantity":{"value":1.00},"resource":{"resource":[{}]}}`,
      "{}",
      `{ "text" : {"div":"<div>\\\\\\" } ] 日本 𝄞</div>"} }`,
      `{"a":[[{"resource":"x"}],"{[\\\\"],"b":-1.000000000000000000E+245}`
    ]
    const { answer: outer, texts } = textsOf(answer(...resources))
    assert.deepStrictEqual(texts, resources)
    assert.deepStrictEqual(outer.sections[0].items.map((item: any) => item.resource), [0, 1, 2, 3])
    assert.strictEqual(outer.veteran.callSign, "\"resource\":{")
    assert.strictEqual(outer.notes[0].text, "}]")
  })

  it("A record without resources has no spans", () => {
    assert.deepStrictEqual(textsOf(answer()).texts, [])
    assert.deepStrictEqual(textsOf(`{"sections":[]}`).texts, [])
  })

  it("Text that is not JSON is refused", () => {
    assert.throws(() => cutRecord(bytesOf(answer("{}").slice(0, -5))), SyntaxError)
    assert.throws(() => cutRecord(bytesOf("")), SyntaxError)
  })
})
