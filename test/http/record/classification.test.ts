import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { sync } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"

// A specially protected item is hidden from a provider whose grant does not name its category. The spelling of its code
// makes no difference.

const { service } = await openApp()

const base64 = (text: string) => Buffer.from(text).toString("base64")

const coded = (system: string | undefined, code: string) => ({ code: { coding: [{ system, code }] } })

const icd10 = "http://hl7.org/fhir/sid/icd-10-cm"

const snomed = "http://snomed.info/sct"

const spellings: Record<string, readonly [category: string, type: string, content: object]> = {
  slash: ["hiv", "Condition", coded(`${icd10}/`, "B20")],
  capitals: ["hiv", "Condition", coded(icd10.toUpperCase(), "B20")],
  https: ["hiv", "Condition", coded(snomed.replace("http", "https"), "86406008")],
  version: ["hiv", "Condition", coded(`${snomed}|2024`, "86406008")],
  "bare-oid": ["hiv", "Condition", coded("2.16.840.1.113883.6.96", "86406008")],
  "no-system": ["hiv", "Condition", coded(undefined, "B20")],
  "empty-system": ["hiv", "Condition", coded("", "86406008")],
  edition: ["hiv", "Condition", coded(`${snomed}/731000124108`, "86406008")],
  "edition-version": ["hiv", "Condition", coded(`${snomed}/731000124108/version/20240901`, "86406008")],
  tab: ["hiv", "Condition", coded(icd10, "\tB20")],
  ndc: ["hiv", "MedicationRequest", {
    medicationCodeableConcept: { coding: [{ system: "http://hl7.org/fhir/sid/ndc", code: "61958-2501-01" }] }
  }],
  "ndc-oid": ["hiv", "MedicationRequest", {
    medicationCodeableConcept: { coding: [{ system: "urn:oid:2.16.840.1.113883.6.69", code: "61958250101" }] }
  }]
}

const words: Record<string, readonly [category: string, type: string, content: object]> = {
  "presented-form": ["alcohol_abuse", "DiagnosticReport", {
    presentedForm: [{ contentType: "text/plain", data: base64("Patient is an active smoker and is an alcoholic.") }]
  }],
  "document-reference": ["alcohol_abuse", "DocumentReference", {
    content: [{ attachment: { contentType: "text/plain; charset=utf-8", data: base64("... and is an alcoholic.") } }]
  }],
  "document-html": ["alcohol_abuse", "DocumentReference", {
    content: [{ attachment: { contentType: "text/html", data: base64("<p>is an alco<b>holic</b></p>") } }]
  }],
  "document-rtf": ["alcohol_abuse", "DocumentReference", {
    content: [{ attachment: { contentType: "application/rtf", data: base64("{\\rtf1 is an alcoholic}") } }]
  }],
  "unhealthy-drinking": ["alcohol_abuse", "Condition", coded(snomed, "10939881000119104")],
  "code-text": ["hiv", "Condition", { code: { text: "HIV positive" } }],
  "local-code": ["drug_abuse", "Procedure", {
    code: {
      coding: [{
        system: "http://example.org/local",
        code: "MM",
        display: "Methadone maintenance for opioid use disorder"
      }]
    }
  }],
  denied: ["drug_abuse", "Observation", { note: [{ text: "Denies heroin use." }] }]
}

const open: Record<string, readonly [type: string, content: object]> = {
  disinfectant: ["SupplyDelivery", {
    suppliedItem: { itemCodeableConcept: { text: "Alcohol disinfectant (substance)" } }
  }],
  dosage: ["MedicationRequest", { dosageInstruction: [{ text: "Avoid alcoholic drink" }] }],
  diet: ["CarePlan", { activity: [{ detail: { code: { text: "Alcohol-free diet" } } }] }],
  lifestyle: ["CarePlan", {
    title: "Lifestyle education regarding hypertension",
    activity: [{
      detail: {
        code: { coding: [{ system: snomed, code: "413473000", display: "Counseling about alcohol consumption" }] }
      }
    }]
  }],
  substance: ["AllergyIntolerance", { code: { text: "Tree nut (substance)" } }]
}

/** Synchronises these texts and returns the ids that a provider with these categories sees. */
const seen = async (
  resources: ReadonlyArray<readonly [id: string, type: string, content: object]>,
  sensitiveCategories: ReadonlyArray<string>
) => {
  const veteran = await signInVeteran(service)
  const types = Map.groupBy(resources, ([, type]) => type)
  const texts = [...types].map(([type, some]) =>
    [type, some.map(([id, , content]) => JSON.stringify({ resourceType: type, id, ...content }))] as const
  )
  await sync(service, veteran, Object.fromEntries(texts.map(([type]) => [type, "complete"])), Object.fromEntries(texts))
  const provider = await signInProvider(service)
  await giveGrant(service, veteran, provider, { sensitiveCategories })
  const answer = await readPatientRecord(service, provider, veteran)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.sections.flatMap(({ items }: any) => items.map((item: any) => item.resource.id)).sort()
}

const all = (some: Record<string, readonly [category: string, type: string, content: object]>) =>
  Object.entries(some).map(([id, [, type, content]]) => [id, type, content] as const)

const ofCategory = (some: typeof words, category: string) =>
  Object.entries(some).filter(([, [named]]) => named === category).map(([id]) => id).sort()

describe("A protected item is withheld from a provider without its category", () => {
  test("in every spelling of its code and system", async () => {
    assert.deepStrictEqual(await seen(all(spellings), ["drug_abuse", "alcohol_abuse", "sickle_cell"]), [])
    assert.deepStrictEqual(await seen(all(spellings), ["hiv"]), Object.keys(spellings).sort())
  })

  test("if only its words show what it is", async () => {
    assert.deepStrictEqual(await seen(all(words), ["sickle_cell"]), [])
    for (const category of ["drug_abuse", "alcohol_abuse", "hiv"]) {
      assert.deepStrictEqual(await seen(all(words), [category]), ofCategory(words, category))
    }
  })

  test("but unprotected items that resemble it are shown", async () => {
    const resources = Object.entries(open).map(([id, [type, content]]) => [id, type, content] as const)
    assert.deepStrictEqual(await seen(resources, []), Object.keys(open).sort())
  })
})
