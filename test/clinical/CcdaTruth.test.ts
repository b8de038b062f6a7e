import { assert, describe, it } from "@effect/vitest"
import { ccdaOf } from "../../src/clinical/CcdaDocument.ts"
import { assertCda } from "../support/CdaSchema.ts"
import { allergy, concept, condition, released, request, result, sectionsOf, snomed, translated } from "./Ccda.ts"

const patient = {
  resourceType: "Patient",
  id: "patient",
  name: [{ family: "O'Hara", given: ["Sean"] }],
  birthDate: "1962-03-04"
}

/** A document of a release with this in its authorization. */
const documentOf = (information: object, ...resources: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const all = { resourceTypes: ["Condition", "Observation"], dateFrom: null, dateTo: null, documents: [] }
  const xml = [...ccdaOf(released({ information: { ...all, ...information } }, ...resources))].join("")
  assertCda(xml)
  return { xml, about: sectionsOf(xml).get("About this document")!.text }
}

const countIn = (xml: string, title: string) => sectionsOf(xml).get(title)!.entries.length

describe("what a reader may conclude of a C-CDA", () => {
  it("a release of some dates does not pass for the whole record", () => {
    const { about, xml } = documentOf({ dateFrom: "2020-01-01", dateTo: "2021-12-31" })
    assert.include(about, "It has only items dated from 2020-01-01 to 2021-12-31.")
    assert.include(xml, "<low value=\"20200101\"/><high value=\"20211231\"/>")
    assert.include(documentOf({ dateTo: "2021-12-31" }).about, "It has only items dated to 2021-12-31.")
    assert.notInclude(documentOf({}).about, "It has only items dated")
  })

  it("the kinds that were chosen, the day of the signing and the attached documents are named", () => {
    const { about } = documentOf({ documents: [{ title: "Letter" }] })
    assert.include(about, "It has these kinds of record only: Problems and results and vital signs.")
    assert.include(about, "This is the record as it was on 2026-11-26. Newer information is not in it.")
    assert.include(about, "1 document was released with this record. This translation does not have its content")
    assert.notInclude(documentOf({}).about, "released with this record")
  })

  it("a patient who died is not alive", () => {
    const died = documentOf({}, { ...patient, deceasedDateTime: "2024-02-03" })
    assert.include(died.about, "The record says that this patient died 2024-02-03.")
    assert.include(died.xml, "<sdtc:deceasedInd value=\"true\"/>")
    const alive = documentOf({}, patient)
    assert.notInclude(alive.xml, "deceasedInd")
    assert.notInclude(alive.about, "died")
  })

  it("a name has the parts that the record gives it, and those of nobody else", () => {
    assert.include(documentOf({}, patient).xml, "<name><given>Sean</given><family>O'Hara</family></name>")
    const other = documentOf({}, { ...patient, name: [{ family: "Sean", given: ["O'Hara"] }] })
    assert.include(other.xml, "<family>Sean O'Hara</family>")
  })

  it("a medication that was stopped or completed is not a current one", () => {
    for (const state of ["stopped", "completed"]) {
      const xml = translated([{ ...request, status: state }])
      assertCda(xml)
      assert.include(xml, "<effectiveTime xsi:type=\"IVL_TS\"><low nullFlavor=\"UNK\"/><high nullFlavor=\"UNK\"/>")
    }
    assert.include(
      translated([request]),
      "<effectiveTime xsi:type=\"IVL_TS\"><low nullFlavor=\"UNK\"/></effectiveTime>"
    )
  })

  it("the words that there are no medications are no medication", () => {
    const none = { ...request, medicationCodeableConcept: snomed("787481004", "No known medications") }
    assert.strictEqual(countIn(translated([none]), "Medications"), 0)
  })

  it("a result about a fetus or a donor is not the patient's", () => {
    const xml = translated([{ ...result, focus: [{ display: "Fetus" }] }])
    assert.strictEqual(countIn(xml, "Laboratory"), 0)
    assert.include(sectionsOf(xml).get("Laboratory")!.text, "Focus: Fetus")
  })

  it.each([
    ["problem", { ...condition, bodySite: [snomed("7771000", "Left")] }],
    ["operation", {
      resourceType: "Procedure",
      id: "operation",
      status: "completed",
      code: snomed("81723002", "Amputation"),
      bodySite: [snomed("7771000", "Left")]
    }],
    ["result", { ...result, bodySite: snomed("7771000", "Left") }]
  ])("a %s keeps its side", (_, resource) => {
    const xml = translated([resource])
    assertCda(xml)
    assert.match(xml, /<targetSiteCode code="7771000" [^>]*><originalText>Left<\/originalText><\/targetSiteCode>/)
  })

  it("a problem whose site cannot be told is in the text only", () => {
    assert.strictEqual(countIn(translated([{ ...condition, bodySite: [{ coding: [{ code: "7" }] }] }]), "Problems"), 1)
    assert.strictEqual(countIn(translated([{ ...condition, bodySite: [{}] }]), "Problems"), 0)
  })

  it.each([["high", "CRITH"], ["low", "CRITL"]])("an allergy of %s criticality says so", (criticality, code) => {
    const xml = translated([{ ...allergy, criticality }])
    assertCda(xml)
    assert.include(xml, `code="${code}"`)
    assert.notMatch(translated([{ ...allergy, criticality: "unable-to-assess" }]), /code="CRIT/)
  })

  it.each([
    ["allergy", ["food"], "414285001"],
    ["allergy", ["medication"], "416098002"],
    ["allergy", ["environment"], "419199007"],
    ["allergy", [], "419199007"],
    ["allergy", ["food", "medication"], "419199007"],
    ["intolerance", ["food"], "235719002"],
    ["intolerance", ["medication"], "59037007"],
    ["intolerance", ["biologic"], "420134006"],
    [undefined, ["food"], "420134006"]
  ])("a %s of %j is of the kind that HL7 gives it", (type, category, code) => {
    const xml = translated([{ ...allergy, type, category }])
    assertCda(xml)
    assert.match(xml, new RegExp(`<value xsi:type="CD" code="${code}" `))
  })

  it("a laboratory's test of pregnancy says what was tested", () => {
    const xml = translated([{ ...result, code: concept("http://loinc.org", "82810-3", "Pregnancy status") }])
    assertCda(xml)
    assert.notInclude(xml, "ASSERTION")
    assert.include(xml, "code=\"82810-3\"")
  })

  it("the filler of the VA beside a value is no value", () => {
    const height = {
      ...result,
      category: [{ coding: [{ code: "vital-signs" }] }],
      valueInteger: 0,
      valueString: null,
      component: null
    }
    const xml = translated([height])
    assertCda(xml)
    assert.include(xml, "<value xsi:type=\"PQ\" value=\"95\" unit=\"mg/dL\"/>")
    const { code, valueQuantity } = result
    const pressure = { ...height, valueQuantity: null, component: [{ code, valueQuantity }, { code, valueQuantity }] }
    assert.lengthOf(translated([pressure]).match(/<value xsi:type="PQ" value="95"/g)!, 2)
    assert.include(translated([{ ...result, valueQuantity: null, valueInteger: 0 }]), ">0</value>")
  })

  it("of two values that contradict each other, neither is chosen", () => {
    for (const other of [{ valueInteger: 3 }, { valueString: "none" }, { valueBoolean: true }]) {
      assert.strictEqual(countIn(translated([{ ...result, ...other }]), "Laboratory"), 0)
    }
  })

  it("a note whose content is elsewhere does not look like a note without content", () => {
    const attachment = { contentType: "text/plain", data: Buffer.from("Fell twice").toString("base64") }
    const xml = translated([{ resourceType: "DocumentReference", id: "note", content: [{ attachment }] }])
    assertCda(xml)
    assert.include(
      sectionsOf(xml).get("Documents")!.text,
      "Content: Not in this translation. It is in the FHIR bundle."
    )
  })

  it("lines of a recorded text stay lines", () => {
    const xml = translated([{ ...condition, note: [{ text: "No cast\nNot healed" }] }])
    assertCda(xml)
    assert.match(xml, /No cast<br\/>Not healed/)
  })
})
