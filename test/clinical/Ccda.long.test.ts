import { convertCcdaToFhir, convertXmlToCcda } from "@medplum/ccda"
import { assert, describe, test } from "vitest"
import { escaped } from "../../src/clinical/CcdaXml.ts"
import { assertCda } from "../support/CdaSchema.ts"
import { patients, patientTexts } from "../support/Collection.ts"
import { entriesOf, translated } from "./Ccda.ts"

const textsOf = (patient: string) => Object.values(patientTexts(patient)).flat()

/** Statuses that only an entry in the text may have. */
const unsure =
  /^(entered-in-error|refuted|provisional|differential|unconfirmed|not-done|preliminary|registered|cancelled|on-hold|draft|unknown|planned|inactive|remission)$/

describe.each(patients)("the record of %s as C-CDA", (patient) => {
  // A record has each id once, and a recorded answer may have it several times.
  const byId = new Map(
    textsOf(patient).map((text) => {
      const { id, resourceType } = JSON.parse(text)
      return [`${resourceType}/${id}`, text]
    })
  )
  const texts = [...byId.values()]
  const xml = translated(texts)
  const resources = new Map<string, any>([...byId].map(([id, text]) => [id, JSON.parse(text)]))

  test("is a valid CDA document that has each item in its text", () => {
    assertCda(xml)
    assert.strictEqual([...xml.matchAll(/<tr ID="i\d+">/g)].length, texts.length)
  })

  test("has no entry of an item that is in doubt, refused, wrong or unfinished", () => {
    for (const { id } of entriesOf(xml)) {
      const json = resources.get(id.replace(/\.\d+$/, ""))
      assert.isDefined(json, id)
      const codes = ["clinicalStatus", "verificationStatus"].map((name) => json[name]?.coding?.[0]?.code)
      for (const code of [json.status, ...codes]) if (code !== undefined) assert.notMatch(code, unsure, id)
      assert.notStrictEqual(json.doNotPerform, true)
    }
  })

  test("has each number and unit of a result as the bundle has it", () => {
    let compared = 0
    for (const { entry, id } of entriesOf(xml)) {
      const { organizer: [organizer] = [] } = entry
      if (organizer === undefined) continue
      const { component, valueQuantity } = resources.get(id)
      for (const [index, { observation: [part] }] of organizer.component.entries()) {
        if (part.value["@_xsi:type"] !== "PQ") continue
        const sent = valueQuantity ?? component.filter(Boolean)[index].valueQuantity
        assert.deepStrictEqual(
          [Number(part.value["@_value"]), part.value["@_unit"], sent.comparator],
          [sent.value, sent.code, undefined],
          id
        )
        assert.include(byId.get(id), part.value["@_value"])
        compared++
      }
    }
    const measured = [...resources.values()].filter(({ category, status, valueQuantity }) =>
      status === "final" && valueQuantity?.system === "http://unitsofmeasure.org" && !valueQuantity.comparator &&
      category?.some(({ coding }: any) => coding?.some(({ code }: any) => ["laboratory", "vital-signs"].includes(code)))
    )
    assert.isAtLeast(compared, measured.length)
  })

  test("tells in no coded result another value than the row in the text", () => {
    const rows = new Map([...xml.matchAll(/<tr ID="(i\d+)">(.*?)<\/tr>/gs)].map(([, id, row]) => [`#${id}`, row!]))
    for (const { entry, id } of entriesOf(xml)) {
      for (const { observation: [part] } of entry.organizer?.[0].component ?? []) {
        const { "#text": words, "@_value": number } = part.value
        assert.include(rows.get(part.text.reference["@_value"]), escaped(words ?? number ?? ""), id)
      }
    }
  })

  test("gives back the problems and allergies that it has, read by the library's own way back", () => {
    const back = convertCcdaToFhir(convertXmlToCcda(xml))
    const codesOf = (type: string, all: Iterable<any>) =>
      [...all].filter((json) => json.resourceType === type).flatMap((json) => json.code?.coding?.[0]?.code ?? [])
    for (const type of ["Condition", "AllergyIntolerance"]) {
      const sent = new Set(codesOf(type, resources.values()))
      const returned = codesOf(type, (back.entry ?? []).map((entry: any) => entry.resource))
      for (const code of returned) assert.isTrue(sent.has(code), `${type} ${code}`)
      const entries = entriesOf(xml).filter(({ id }) => id.startsWith(`${type}/`)).length
      assert.isAtMost(returned.length, entries)
      assert.strictEqual(returned.length > 0, entries > 0)
    }
  })
})
