import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { hasUuidReference, recordBundle } from "../../../src/services/release/RecordBundle.ts"
import { PlainJson } from "../../support/PlainJson.ts"

const frame = {
  documentId: "01234567-89ab-7def-8123-456789abcdef",
  signedAt: "2026-11-22T10:00:00.000Z",
  base: "https://records.example",
  person: { id: "11111111-89ab-7def-8123-456789abcdef", fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" },
  subject: undefined
}

interface Item {
  readonly resourceType: string
  readonly fhirId: string
  readonly text: string
}

const written = async (items: ReadonlyArray<Item>, subject?: string) => {
  const refers = items.some(({ text }) => hasUuidReference(Buffer.from(text)))
  const pieces = recordBundle({ ...frame, subject }, items, async ({ text }) => Buffer.from(text), refers)
  return Buffer.concat(await Array.fromAsync(pieces)).toString()
}

const item = (resourceType: string, fhirId: string, text = `{"resourceType":"${resourceType}","id":"${fhirId}"}`) => ({
  resourceType,
  fhirId,
  text
})

const head = `{"resourceType":"Bundle","id":"01234567-89ab-7def-8123-456789abcdef","type":"collection",` +
  `"timestamp":"2026-11-22T10:00:00.000Z"`

const url = "https://records.example/api/fhir/R4"

const uuid = "6fd5ad05-0d80-4a1a-9e1b-1c2f1b3f7a01"

const made = `"resource":{"resourceType":"Patient","id":"11111111-89ab-7def-8123-456789abcdef",` +
  `"meta":{"tag":[{"code":"generated","display":"Generated from the signed authorization"}]},` +
  `"name":[{"use":"official","text":"Sean O'Hara"}],"birthDate":"1962-03-04"}}`

const madeEntry = `{"fullUrl":"${url}/Patient/11111111-89ab-7def-8123-456789abcdef",${made}`

describe("record.fhir.json", () => {
  it("has the Patient of the authorization alone if nothing is released", async () => {
    assert.strictEqual(await written([]), `${head},"entry":[${madeEntry}]}`)
  })

  it("gives the Patient that it makes the URL that every resource names, and is the same each time", async () => {
    const items = [item("Condition", "a")]
    const bundle = await written(items, "https://va.example/fhir/Patient/1")
    assert.strictEqual(
      bundle,
      `${head},"entry":[{"fullUrl":"https://va.example/fhir/Patient/1",${made},` +
        `{"fullUrl":"${url}/Condition/a","resource":{"resourceType":"Condition","id":"a"}}]}`
    )
    assert.strictEqual(await written(items, "https://va.example/fhir/Patient/1"), bundle)
  })

  it("makes no Patient if one is released", async () => {
    assert.strictEqual(
      await written([item("Patient", "p")]),
      `${head},"entry":[{"fullUrl":"${url}/Patient/p","resource":{"resourceType":"Patient","id":"p"}}]}`
    )
  })

  it("has each resource's exact text, in the order of type and id", async () => {
    const exact = `{ "resourceType" : "Observation","id":"b",\n"valueQuantity":{"value":1.00}, "é":"\\u00e9" }`
    const bundle = await written([
      item("Observation", "b", exact),
      item("Condition", "z"),
      item("Observation", "B"),
      item("Condition", "10"),
      item("Condition", "9")
    ])
    assert.strictEqual(
      bundle,
      `${head},"entry":[${madeEntry},` +
        `{"fullUrl":"${url}/Condition/10","resource":{"resourceType":"Condition","id":"10"}},` +
        `{"fullUrl":"${url}/Condition/9","resource":{"resourceType":"Condition","id":"9"}},` +
        `{"fullUrl":"${url}/Condition/z","resource":{"resourceType":"Condition","id":"z"}},` +
        `{"fullUrl":"${url}/Observation/B","resource":{"resourceType":"Observation","id":"B"}},` +
        `{"fullUrl":"${url}/Observation/b","resource":${exact}}]}`
    )
  })

  it("names a resource by UUID only if another resource refers to it that way", async () => {
    const other = "6fd5ad05-0d80-4a1a-9e1b-1c2f1b3f7a02"
    const outside = "6fd5ad05-0d80-4a1a-9e1b-1c2f1b3f7a03"
    const bundle = JSON.parse(
      await written([
        item(
          "Condition",
          "a",
          `{"subject":{"reference":"urn:uuid:${uuid}"},"x":["urn:uuid:${outside}","urn:uuid:a"]}`
        ),
        item("Patient", uuid),
        item("Patient", other)
      ])
    )
    assert.deepStrictEqual(bundle.entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl), [
      `${url}/Condition/a`,
      `urn:uuid:${uuid}`,
      `${url}/Patient/${other}`
    ])
  })

  const Items = Schema.Array(Schema.Struct({
    resourceType: Schema.Literals(["Condition", "Observation"]),
    fhirId: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9.-]{1,8}$/)),
    value: PlainJson
  }))

  it.effect.prop("contains every resource, for any JSON in it", [Items], ([items]) =>
    Effect.promise(async () => {
      const texts = items.map(({ fhirId, resourceType, value }) =>
        item(resourceType, fhirId, JSON.stringify({ value }))
      )
      const bundle = JSON.parse(await written(texts))
      const [first, ...entries]: ReadonlyArray<{ readonly resource: any }> = bundle.entry
      assert.strictEqual(first!.resource.resourceType, "Patient")
      assert.deepStrictEqual(
        entries.map(({ resource }) => JSON.stringify(resource)).sort(),
        texts.map(({ text }) => JSON.stringify(JSON.parse(text))).sort()
      )
    }))
})
