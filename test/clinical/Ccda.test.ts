import { assert, describe, it } from "@effect/vitest"
import { translationWords } from "../../src/clinical/CcdaAbout.ts"
import { ccdaOf } from "../../src/clinical/CcdaDocument.ts"
import { assertCda } from "../support/CdaSchema.ts"
import {
  allergy,
  concept,
  condition,
  entryOf,
  released,
  request,
  result,
  sectionsOf,
  snomed,
  status,
  translated
} from "./Ccda.ts"

const problemIn = (entry: any) => entry.act[0].entryRelationship[0].observation[0]

const resultIn = (entry: any) => entry.organizer[0].component[0].observation[0]

describe("a release as C-CDA", () => {
  it("begins with the sentence that it is a translation, and names the person of the authorization", () => {
    const xml = translated([condition], { warnings: ["Medications are not complete."] })
    assertCda(xml)
    const { text } = sectionsOf(xml).get("About this document")!
    assert.isTrue(text.startsWith(`<paragraph>Medications are not complete.</paragraph><paragraph>${translationWords}`))
    // Nobody knows which of the words of a signed name are the family name.
    assert.include(xml, "<name><given nullFlavor=\"UNK\"/><family>Sean O'Hara</family></name>")
    assert.include(xml, "<birthTime value=\"19620304\"/>")
  })

  it("says that an empty section is not the same as none", () => {
    const { entries, text } = sectionsOf(translated([condition])).get("Allergies and intolerances")!
    assert.deepStrictEqual(entries, [])
    assert.strictEqual(
      text,
      "<paragraph>No item of this kind is in this release. That is not the same as none.</paragraph>"
    )
  })

  it("warns if the record holds another name or birth date", () => {
    const patient = { resourceType: "Patient", id: "p", name: [{ text: "Jane Roe" }], gender: "female" }
    const xml = translated([patient])
    assert.include(sectionsOf(xml).get("About this document")!.text, "another name or birth date")
    assert.include(xml, "<administrativeGenderCode nullFlavor=\"NI\"/>")
    assert.include(
      translated([{ ...patient, name: [{ text: "Sean O'Hara" }] }]),
      "<administrativeGenderCode code=\"F\""
    )
  })

  it("keeps a problem's state, dates and words", () => {
    const { act: [active] } = entryOf(condition, "Problems")
    assert.deepStrictEqual([active.statusCode["@_code"], active.text.reference["@_value"]], ["active", "#i1"])
    const problem = problemIn(entryOf(condition, "Problems"))
    assert.deepStrictEqual(problem.effectiveTime, [{ low: { "@_value": "201903" } }])
    assert.strictEqual(problem.value.originalText, "Hypertension")
    const ended = entryOf({ ...condition, clinicalStatus: status("resolved") }, "Problems")
    assert.strictEqual(ended.act[0].statusCode["@_code"], "completed")
    assert.deepStrictEqual(problemIn(ended).effectiveTime[0].high, { "@_nullFlavor": "UNK" })
  })

  it("keeps each reaction of an allergy, and invents no severity", () => {
    const entry = entryOf({
      ...allergy,
      reaction: [
        { manifestation: [snomed("271807003", "Rash"), snomed("418290006", "Itching")] },
        { manifestation: [snomed("39579001", "Anaphylaxis")], severity: "severe" }
      ]
    }, "Allergies and intolerances")
    const reactions = problemIn(entry).entryRelationship.map(({ observation: [one] }: any) => one)
    assert.deepStrictEqual(
      reactions.map((one: any) => [
        one.value.originalText,
        one.entryRelationship?.observation?.[0].value["@_code"] ??
          one.entryRelationship?.[0]?.observation[0].value["@_code"]
      ]),
      [["Rash", undefined], ["Itching", undefined], ["Anaphylaxis", "24484000"]]
    )
  })

  it("gives a medication's dosage in words only, and an order as an order", () => {
    const { substanceAdministration: [order] } = entryOf(request, "Medications")
    assert.deepStrictEqual([order["@_moodCode"], order.doseQuantity, order.statusCode["@_code"]], [
      "INT",
      { "@_nullFlavor": "UNK" },
      "active"
    ])
    assert.include(JSON.stringify(order.entryRelationship), "1 tablet twice a day")
    assert.notInclude(JSON.stringify(order), "PIVL_TS")
  })

  it("keeps a result's digits, unit and time", () => {
    const text = JSON.stringify(result).replace("\"value\":95", "\"value\":95.00")
    const observation = resultIn(sectionsOf(translated([text])).get("Laboratory")!.entries[0])
    assert.deepStrictEqual(observation.value, { "@_xsi:type": "PQ", "@_value": "95.00", "@_unit": "mg/dL" })
    assert.deepStrictEqual(observation.effectiveTime, [{ "@_value": "20240506070809-0500" }])
  })

  it.each([
    ["a comparator", { value: 5, comparator: "<", unit: "mg/dL", code: "mg/dL", system: "http://unitsofmeasure.org" },
      "< 5 mg/dL"],
    ["a unit without code", { value: 5, unit: "tablets a day" }, "5 tablets a day"],
    ["no unit", { value: 5 }, "5"]
  ])("gives a value with %s in words", (_, valueQuantity, words) => {
    const { value } = resultIn(entryOf({ ...result, valueQuantity }, "Laboratory"))
    assert.deepStrictEqual(value, { "@_xsi:type": "ST", "#text": words })
  })

  it.each<[string, string, Record<string, unknown>]>([
    ["a refuted problem", "Problems", { ...condition, verificationStatus: status("refuted") }],
    ["a problem entered in error", "Problems", { ...condition, verificationStatus: status("entered-in-error") }],
    ["a provisional problem", "Problems", { ...condition, verificationStatus: status("provisional") }],
    ["a problem in remission", "Problems", { ...condition, clinicalStatus: status("remission") }],
    ["a problem without a state", "Problems", { ...condition, clinicalStatus: undefined }],
    ["a problem with an unknown modifier", "Problems", { ...condition, modifierExtension: [{ url: "urn:x" }] }],
    ["a problem with a date that is none", "Problems", { ...condition, onsetDateTime: "in spring" }],
    ["an allergy that has ended", "Allergies and intolerances", { ...allergy, clinicalStatus: status("resolved") }],
    ["no known allergy", "Allergies and intolerances", {
      ...allergy,
      code: snomed("716186003", "No known allergy")
    }],
    ["an order not to give", "Medications", { ...request, doNotPerform: true }],
    ["an order on hold", "Medications", { ...request, status: "on-hold" }],
    ["a proposal", "Medications", { ...request, intent: "proposal" }],
    ["a preliminary result", "Laboratory", { ...result, status: "preliminary" }],
    ["a result without a value", "Laboratory", { ...result, valueQuantity: undefined }],
    ["a range", "Laboratory", { ...result, valueQuantity: undefined, valueRange: { low: { value: 1 } } }],
    ["a vaccine that was not given", "Immunizations", {
      resourceType: "Immunization",
      id: "v1",
      status: "not-done",
      vaccineCode: concept("http://hl7.org/fhir/sid/cvx", "88", "Flu"),
      occurrenceDateTime: "2020-01-01"
    }],
    ["a procedure that was not done", "Procedures", {
      resourceType: "Procedure",
      id: "s1",
      status: "not-done",
      code: snomed("80146002", "Appendectomy")
    }],
    ["a planned visit", "Encounters", {
      resourceType: "Encounter",
      id: "e1",
      status: "planned",
      type: [snomed("185349003", "Check up")]
    }]
  ])("leaves %s in the text, and says so", (_, title, resource) => {
    const xml = translated([resource])
    assertCda(xml)
    const { entries, text } = sectionsOf(xml).get(title)!
    assert.deepStrictEqual(entries, [])
    assert.include(text, "1 item of this section could not be translated into a coded entry")
    assert.include(text, "<tr ID=\"i1\">")
  })

  it("lets no text of a resource become an element, and no faulty resource spoil another", () => {
    const hostile = [
      { ...result, id: "h1", valueQuantity: undefined, valueString: { code: { "@_code": "x" }, "a b": 1 } },
      { ...result, id: "h2", valueQuantity: undefined, valueString: "</value><evil>&\u0000\uD800" },
      { ...condition, id: "h3", code: { coding: [{ system: "urn:oid:1\"", code: "a b" }], text: "<b>" } },
      { ...condition, id: "h4", code: null, clinicalStatus: "active" },
      { ...allergy, id: "h5", reaction: ["none", { manifestation: "x" }] },
      { ...request, id: "h6", dosageInstruction: [null, { text: 5 }] },
      { resourceType: "Observation", id: "h7", component: [null, 5], hasMember: "x" },
      { resourceType: "constructor", id: "h8", __proto__: { a: 1 } }
    ]
    const xml = translated([...hostile, result])
    assertCda(xml)
    assert.notInclude(xml, "<evil")
    assert.include(xml, "&lt;evil&gt;&amp;\uFFFD\uFFFD")
    const { entries } = sectionsOf(xml).get("Laboratory")!
    assert.include(entries.map((entry) => entry.organizer[0].id[0]["@_extension"]), "Observation/o1")
  })

  it("stays valid if an odd value stands in the place of a member", () => {
    const odd: ReadonlyArray<unknown> = [null, "", " ", 5, true, {}, [], [null], "x".repeat(300), { a: [{ b: 1 }] }, [[
      1
    ]]]
    const more = [
      { resourceType: "Immunization", id: "v", status: "completed", vaccineCode: snomed("1", "Flu"), lotNumber: "1" },
      { resourceType: "Encounter", id: "e", status: "finished", type: [snomed("1", "Visit")], period: {} },
      { resourceType: "Procedure", id: "s", status: "completed", code: snomed("1", "Cut"), performedPeriod: {} }
    ]
    const whole = [condition, { ...allergy, reaction: [{ manifestation: [snomed("1", "Rash")] }] }, request, result]
    const spoilt = [...whole, ...more].flatMap((resource) =>
      spoiltTexts(resource, odd).map((json, index) => ({ ...json as object, id: `${resource.id}-${index}` }))
    )
    assert.isAbove(spoilt.length, 400)
    assertCda(translated(spoilt))
  })

  it("does not parse a resource of too many values, and says in its row that it was not read", () => {
    const large = { ...result, id: "large", component: Array.from({ length: 100_001 }, () => ({})) }
    const record = [{ resourceType: "Observation", state: "partial", lastFetch: "partial", lastCompleteAt: null }]
    const source = released({ record }, large, result)
    assert.deepStrictEqual(source.items.map(({ fhirId, text }) => [fhirId, text === ""]), [["large", true], [
      "o1",
      false
    ]])
    const xml = [...ccdaOf(source)].join("")
    assertCda(xml)
    assert.include(sectionsOf(xml).get("About this document")!.text, "are not complete.")
    assert.lengthOf(xml.match(/<tr ID=/g)!, 2)
  })
})

/** The resource with each member, at any depth, replaced by each of the values. */
const spoiltTexts = (json: unknown, values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  typeof json !== "object" || json === null
    ? []
    : Object.entries(json).filter(([name]) => name !== "resourceType" && name !== "id").flatMap(([name, value]) =>
      [...values, ...spoiltTexts(value, values)].map((spoilt) =>
        Array.isArray(json) ? json.with(Number(name), spoilt) : { ...json, [name]: spoilt }
      )
    )
