import { MedplumClient } from "@medplum/core"
import { Client as FhirKit } from "fhir-kit-client"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { assert, describe, test } from "vitest"
import { signInVeteran } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { sync } from "../../support/Sync.ts"
import { connectApp } from "./Apps.ts"

// Published clients, unmodified, use what stock apps use (contract, part 12), with records of the VA and of Synthea.

const require = createRequire(import.meta.url)

const fhirJs: (config: object) => any = require("fhir.js")

const smart: (request: IncomingMessage, response: ServerResponse, storage: object) => {
  client: (state: object) => any
} = require("fhirclient")

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const baseUrl = `${service.url}/api/fhir/R4`

const records = ["va-florentino8-raynor401", "va-sheba703-harris789", "syn-soledad678-guzman14",
  "syn-lucas404-leon820"] as const

const categories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]

const connect = async (name: string) => {
  const veteran = await signInVeteran(service)
  const texts = patientTexts(name)
  await sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)
  const { headers } = await connectApp(service, owner, veteran, { categories })
  const accessToken = headers.authorization.slice("Bearer ".length)
  const all: ReadonlyArray<any> = Object.values(texts).flat().map((text) => JSON.parse(text))
  const of = (type: string) => all.filter(({ resourceType }) => resourceType === type)
  const dates = of("Observation").map(({ effectiveDateTime }) => Date.parse(effectiveDateTime)).sort((a, b) => b - a)
  return {
    veteran,
    accessToken,
    of,
    /** The ten newest dates of Observations. */
    newest: dates.slice(0, 10),
    stored: of("Patient")[0],
    subject: of("Observation")[0].subject.reference as string,
    count: all.length
  }
}

const resourcesIn = (bundle: any, mode: string): ReadonlyArray<any> =>
  bundle.entry.filter(({ search }: any) => search.mode === mode).map(({ resource }: any) => resource)

const datesIn = (bundle: any) =>
  resourcesIn(bundle, "match").map(({ effectiveDateTime }) => Date.parse(effectiveDateTime))

const storage = { get: async () => undefined, set: async () => {}, unset: async () => true }

describe.each(records)("With the record %s", (name) => {
  test("fhir-kit-client resolves the subject in $everything, and searches the compartment", async () => {
    const { accessToken, newest, of, stored, subject, veteran } = await connect(name)
    const client = new FhirKit({ baseUrl, bearerToken: accessToken })
    const patient = stored?.id ?? veteran.id
    // Its operation is a POST by default.
    const everything: any = await client.operation({ name: "everything", resourceType: "Patient", id: patient })
    assert.strictEqual(everything.resourceType, "Bundle")
    if (subject.startsWith("http")) {
      const resolved: any = await client.resolve({ reference: subject, context: everything })
      assert.deepStrictEqual([resolved.resourceType, resolved.id], ["Patient", patient])
    }
    const compartment: any = await client.compartmentSearch({
      resourceType: "Observation",
      compartment: { resourceType: "Patient", id: patient },
      searchParams: { _sort: "-date", _count: 10 }
    })
    assert.deepStrictEqual(datesIn(compartment), newest)
    assert.strictEqual(compartment.total, of("Observation").length)
    const posted: any = await client.resourceSearch({
      resourceType: "Observation",
      searchParams: { patient, _sort: "-date", _count: "10" },
      options: { postSearch: true }
    })
    assert.deepStrictEqual(datesIn(posted), newest)
  })

  test("fhirclient sorts, follows pages, and reads its patient", async () => {
    const { accessToken, newest, of, stored, veteran } = await connect(name)
    const patient = stored?.id ?? veteran.id
    const client = smart({} as IncomingMessage, {} as ServerResponse, storage)
      .client({ serverUrl: baseUrl, tokenResponse: { access_token: accessToken, patient } })
    const sorted: any = await client.request("Observation?_sort=-date&_count=10")
    assert.deepStrictEqual(datesIn(sorted), newest)
    const all: any = await client.patient.request("Observation?_sort=-date&_count=7", { pageLimit: 0, flat: true })
    assert.deepStrictEqual(all.slice(0, 10).map((one: any) => Date.parse(one.effectiveDateTime)), newest)
    assert.strictEqual(all.length, of("Observation").length)
    const read: any = await client.patient.read()
    assert.strictEqual(read.id, patient)
  })

  test("MedplumClient posts $everything, sorts, and searches its patient", async () => {
    const { accessToken, count, newest, stored, veteran } = await connect(name)
    const medplum = new MedplumClient({ baseUrl: `${service.url}/`, fhirUrlPath: "api/fhir/R4", accessToken, fetch })
    const patient = stored?.id ?? veteran.id
    const everything = await medplum.post(medplum.fhirUrl("Patient", patient, "$everything"), {
      resourceType: "Parameters",
      parameter: [{ name: "_count", valueInteger: 1000 }]
    })
    assert.strictEqual(everything.total, count)
    assert.strictEqual((await medplum.readPatientEverything(patient)).total, count)
    const newestOne: any = await medplum.searchOne("Observation", "_sort=-date")
    assert.strictEqual(Date.parse(newestOne.effectiveDateTime), newest[0])
    assert.deepStrictEqual(datesIn(await medplum.search("Observation", "_sort=-date&_count=10")), newest)
    const [found] = await medplum.searchResources("Patient", {})
    assert.strictEqual(found!.id, patient)
  })

  test("fhir.js sorts, and includes what it asks for", async () => {
    const { accessToken, newest, of } = await connect(name)
    const client = fhirJs({ baseUrl, auth: { bearer: accessToken } })
    const { data: sorted } = await client.search({ type: "Observation", query: { $sort: ["-date"], _count: 10 } })
    assert.deepStrictEqual(datesIn(sorted), newest)
    const { data: prescriptions } = await client.search({
      type: "MedicationRequest",
      query: { $include: { MedicationRequest: "medication" }, $revInclude: { Provenance: "target" } }
    })
    const ids = (type: string) =>
      resourcesIn(prescriptions, "include").filter(({ resourceType }) => resourceType === type).map(({ id }) => id)
    const wanted = of("MedicationRequest").flatMap(({ medicationReference }) =>
      medicationReference?.reference.split(/[:/]/).at(-1) ?? []
    )
    const shown = of("Medication").map(({ id }) => id).filter((id) => wanted.includes(id))
    assert.sameMembers(ids("Medication"), shown)
    assert.sameMembers(ids("Provenance"), of("Provenance").map(({ id }) => id))
  })
})
