import { assert, describe, test } from "vitest"
import { namesOf } from "../../../src/domain/FhirReference.ts"
import { referencesOf } from "../../../src/services/record/References.ts"

const named: ReadonlyArray<readonly [reference: string, ...names: ReadonlyArray<string>]> = [
  ["Encounter/1", "Encounter/1"],
  ["Encounter/1/_history/3", "Encounter/1"],
  ["Encounter/1|2", "Encounter/1"],
  ["Encounter/1#part", "Encounter/1"],
  [" Encounter/1\n", "Encounter/1"],
  ["/Encounter/1", "Encounter/1"],
  ["https://sandbox-api.va.gov/services/fhir/v0/r4/Encounter/I2-A.b", "Encounter/I2-A.b"],
  ["https://x.example/fhir/Encounter/1/_history/3", "Encounter/1"],
  ["https://x.example/Encounter/1?_format=json", "Encounter/1"],
  // Each `Type/id` in a URL is read as a name, because a URL does not show where the server's base path ends.
  ["https://x.example/FHIR/Patient/2", "FHIR/Patient", "Patient/2"],
  ["https://x.example/Patient/2/Encounter/1", "Patient/2", "Encounter/1"],
  ["urn:uuid:574BDB19-1ad0-95c2-8378-0cc60dc5b1fc", "574bdb19-1ad0-95c2-8378-0cc60dc5b1fc"],
  ["URN:UUID:574bdb19-1ad0-95c2-8378-0cc60dc5b1fc", "574bdb19-1ad0-95c2-8378-0cc60dc5b1fc"],
  ["urn:oid:2.16.840.1", "2.16.840.1"],
  [`Encounter/${"a".repeat(64)}`, `Encounter/${"a".repeat(64)}`],
  // These name no item: a contained resource, a search, a reference without an id, and other texts.
  ["#contained"],
  ["Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|9999"],
  [`Encounter/${"a".repeat(65)}`],
  ["Encounter/"],
  ["encounter/1"],
  ["urn:uuid:"],
  ["urn:ietf:rfc:3986"],
  [""]
]

test.each(named)("The reference %j is read as the names %s %s", (reference, ...names) => {
  assert.deepStrictEqual([...referencesOf({ subject: { reference } })!], names.filter((name) => name !== undefined))
})

describe("The references of a resource", () => {
  test("are found once each, at any depth, also in contained resources and extensions", () => {
    const resource = {
      subject: { reference: "Patient/1" },
      focus: [{ reference: "Encounter/2" }, { reference: "Encounter/2" }, [null, { reference: "Encounter/3" }]],
      contained: [{ resourceType: "Basic", author: { reference: "Basic/4" } }],
      _status: { extension: [{ url: "http://x.example/Basic/9", valueReference: { reference: "Basic/5" } }] },
      content: [{ attachment: { url: "https://x.example/fhir/Binary/6" } }],
      reference: { reference: "Basic/7" },
      text: { div: "Basic/8" },
      references: ["Basic/9"],
      number: { reference: 10 }
    }
    assert.sameMembers(
      [...referencesOf(resource)!],
      ["Patient/1", "Encounter/2", "Encounter/3", "Basic/4", "Basic/5", "Binary/6", "Basic/7"]
    )
  })

  test("are not read if one has over 4,096 characters, or if the item has over 100,000 references", () => {
    const long = (length: number) => `Patient/1?${"x".repeat(length - 10)}`
    assert.deepStrictEqual(referencesOf({ reference: long(4096) }), new Set(["Patient/1"]))
    assert.isUndefined(referencesOf({ reference: long(4097) }))
    assert.isUndefined(referencesOf({ contained: [{ url: "x".repeat(4097) }] }))
    assert.deepStrictEqual(referencesOf({ content: [{ attachment: { url: `data:,${long(4097)}` } }] }), new Set())
    const many = (count: number) => ({ entry: Array.from({ length: count }, (_, n) => ({ reference: `Basic/${n}` })) })
    assert.strictEqual(referencesOf(many(100_000))?.size, 100_000)
    assert.isUndefined(referencesOf(many(100_001)))
  })

  test("name an item by its type and exact id, or by its id in lower case", () => {
    assert.deepStrictEqual(namesOf("Encounter", "Ab-1"), ["Encounter/Ab-1", "ab-1"])
  })
})
