import { assert, describe, it } from "@effect/vitest"
import { assertCda } from "../support/CdaSchema.ts"
import { concept, snomed, status, translated } from "./Ccda.ts"

const loinc = (code: string, text: string) => concept("http://loinc.org", code, text)

const observation = (id: string, category: string, code: string) => ({
  resourceType: "Observation",
  id,
  status: "final",
  category: [status(category)],
  code: loinc(code, id),
  effectiveDateTime: "2024-05-06",
  valueQuantity: { value: 5, unit: "1", system: "http://unitsofmeasure.org", code: "1" }
})

/** One item of each kind that can have a coded entry. */
const coded = [
  {
    resourceType: "AllergyIntolerance",
    id: "allergy",
    type: "allergy",
    category: ["food"],
    criticality: "high",
    clinicalStatus: status("active"),
    code: snomed("762952008", "Peanut"),
    reaction: [{ manifestation: [snomed("271807003", "Rash")], severity: "mild" }]
  },
  {
    resourceType: "Condition",
    id: "problem",
    clinicalStatus: status("active"),
    code: snomed("38341003", "Hypertension")
  },
  {
    resourceType: "MedicationRequest",
    id: "medication",
    status: "active",
    intent: "order",
    medicationCodeableConcept: concept("http://www.nlm.nih.gov/research/umls/rxnorm", "310798", "Hydrochlorothiazide"),
    dosageInstruction: [{ text: "1 tablet twice a day" }, { text: "1 more at night" }]
  },
  {
    resourceType: "Immunization",
    id: "vaccine",
    status: "completed",
    vaccineCode: concept("http://hl7.org/fhir/sid/cvx", "88", "Flu"),
    occurrenceDateTime: "2020-01-01"
  },
  observation("result", "laboratory", "2345-7"),
  {
    ...observation("period", "laboratory", "2345-7"),
    effectiveDateTime: undefined,
    effectivePeriod: { start: "2024" }
  },
  observation("weight", "vital-signs", "29463-7"),
  {
    ...observation("pressure", "vital-signs", "85354-9"),
    valueQuantity: undefined,
    component: ["8480-6", "8462-4"].map((code) => ({
      code: loinc(code, code),
      valueQuantity: { value: 120, unit: "mmHg", system: "http://unitsofmeasure.org", code: "mm[Hg]" }
    }))
  },
  observation("drinks", "social-history", "11331-6"),
  { resourceType: "Procedure", id: "procedure", status: "completed", code: snomed("80146002", "Appendectomy") },
  { resourceType: "Encounter", id: "visit", status: "finished", type: [snomed("185349003", "Check up")] }
]

/** The same items, none of which can have a coded entry. */
const textOnly = coded.map((resource) => ({ ...resource, modifierExtension: [{ url: "urn:x" }] }))

/** HL7's Schematron of C-CDA R2.1 (HL7/CDA-ccda-2.1, `validation`) knows these versions and no others. */
const versions: Readonly<Record<string, string | null>> = {
  "1.1": "2015-08-01",
  "1.2": "2015-08-01",
  "2.1": "2014-06-09",
  "2.1.1": "2014-06-09",
  "2.17": "2015-08-01",
  "2.2": "2015-08-01",
  "2.2.1": "2015-08-01",
  "2.22": "2015-08-01",
  "2.22.1": "2015-08-01",
  "2.3": "2015-08-01",
  "2.3.1": "2015-08-01",
  "2.4": "2015-08-01",
  "2.4.1": "2015-08-01",
  "2.5": "2015-08-01",
  "2.5.1": "2015-08-01",
  "2.6": "2015-08-01",
  "2.6.1": "2015-08-01",
  "2.7": "2014-06-09",
  "2.7.1": "2014-06-09",
  "4.1": "2015-08-01",
  "4.14": "2014-06-09",
  "4.145": null,
  "4.147": null,
  "4.16": "2014-06-09",
  "4.2": "2015-08-01",
  "4.23": "2014-06-09",
  "4.26": "2015-08-01",
  "4.27": "2014-06-09",
  "4.3": "2015-08-01",
  "4.30": "2015-08-01",
  "4.38": "2015-08-01",
  "4.4": "2015-08-01",
  "4.49": "2015-08-01",
  "4.52": "2015-08-01",
  "4.54": "2014-06-09",
  "4.7": "2014-06-09",
  "4.8": "2014-06-09",
  "4.9": "2014-06-09"
}

/** The templates of each element, each as `4.1` or `4.1 2015-08-01`. */
const templatesIn = (xml: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...xml.matchAll(/(?:<templateId [^>]*\/>)+/g)].map(([all]) =>
    [...all.matchAll(/root="2\.16\.840\.1\.113883\.10\.20\.22\.([\d.]+)"(?: extension="([^"]*)")?/g)].map((
      [, root, extension]
    ) => extension === undefined ? root! : `${root} ${extension}`)
  )

describe("the templates of a C-CDA", () => {
  const whole = translated(coded)

  it.each([["coded entries", whole], ["text only", translated(textOnly)]])(
    "are those of R2.1 with %s, each beside its version of R1.1 and named once",
    (_, xml) => {
      assertCda(xml)
      const known = Object.entries(versions).flatMap(([root, extension]) =>
        extension === null ? [root] : [root, `${root} ${extension}`]
      )
      for (const templates of templatesIn(xml)) {
        assert.includeMembers(known, [...templates])
        assert.strictEqual(new Set(templates).size, templates.length, templates.join())
        const roots = templates.map((template) => template.split(" ")[0]!)
        for (const root of roots) {
          const extension = versions[root]
          assert.include(templates, root)
          if (extension !== null) assert.include(templates, `${root} ${extension}`)
        }
      }
    }
  )

  it("are those whose entries are required, unless a section has text only", () => {
    const sections = (xml: string) =>
      templatesIn(xml).flat().filter((template) => /^2\.[\d.]+$/.test(template)).toSorted()
    const required = ["2.1.1", "2.2", "2.2.1", "2.22.1", "2.3.1", "2.4.1", "2.5.1", "2.6.1", "2.7.1"]
    assert.deepStrictEqual(sections(whole), ["2.17", ...required].toSorted())
    assert.deepStrictEqual(
      sections(translated(textOnly)),
      ["2.1", "2.17", "2.2", "2.22", "2.3", "2.4", "2.5", "2.6", "2.7"].toSorted()
    )
  })

  it("cover every template that the entries of these kinds can have", () => {
    const entries = new Set(templatesIn(whole).flat().filter((template) => /^4\.\d+$/.test(template)))
    assert.sameMembers([...entries], Object.keys(versions).filter((root) => root.startsWith("4.")))
  })

  it("have identifiers that no other entry has", () => {
    const ids = [...whole.matchAll(/<id root="([^"]*)"(?: extension="([^"]*)")?\/>/g)].map(([id]) => id)
    assert.strictEqual(new Set(ids).size, ids.length, ids.join("\n"))
    assert.isAbove(ids.length, coded.length)
  })

  it("refer to text that is there", () => {
    const named = [...whole.matchAll(/ ID="([^"]*)"/g)].map(([, id]) => id!)
    assert.strictEqual(new Set(named).size, named.length)
    const asked = [...whole.matchAll(/<reference value="#([^"]*)"\/>/g)].map(([, id]) => id!)
    assert.includeMembers(named, asked)
    assert.isAtLeast(asked.length, coded.length)
  })

  it("have a dosage as text that is also in the section's text", () => {
    const [, id] = /<text>1 tablet twice a day; 1 more at night<reference value="#([^"]*)"\/><\/text>/.exec(whole)!
    assert.include(whole, `<content ID="${id}">Dosage: 1 tablet twice a day<br/>1 more at night</content>`)
  })

  it("have a time of a panel of results as a span, or none", () => {
    const panels = [...whole.matchAll(/<organizer [^>]*><templateId root="[\d.]*\.22\.4\.1"\/>.*?<component>/g)]
    assert.deepStrictEqual(
      panels.map(([panel]) => /<effectiveTime.*<\/effectiveTime>/.exec(panel)?.[0]),
      [undefined, "<effectiveTime><low value=\"20240506\"/><high value=\"20240506\"/></effectiveTime>"].toReversed()
    )
  })

  it("have no vital sign that is no quantity", () => {
    const pain = { ...observation("pain", "vital-signs", "72514-3"), valueQuantity: { value: 3 } }
    assert.notInclude(translated([pain]), "<entry>")
    assert.include(translated([pain]), "1 item of this section could not be translated")
  })

  it("have all that the header of a CCD needs", () => {
    const header = whole.slice(0, whole.indexOf("<structuredBody>"))
    assert.match(header, /<name><given [^>]*\/><family>[^<]+<\/family><\/name>/)
    assert.match(header, /<\/assignedAuthoringDevice><representedOrganization>.*<\/representedOrganization>/)
    assert.include(
      header,
      "<documentationOf><serviceEvent classCode=\"PCPR\"><effectiveTime><low nullFlavor=\"UNK\"/>" +
        "<high value=\"20261126120000+0000\"/></effectiveTime></serviceEvent></documentationOf>"
    )
  })
})
