import { assert, describe, test } from "vitest"
import { signInVeteran } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { sync, type Texts } from "../../support/Sync.ts"
import { connectApp, syncAndConnect } from "./Apps.ts"
import { type Access, fhirClient, fhirKit, medplumClient, stockClients } from "./StockClients.ts"

// Published clients, unmodified, with records of the VA and of Synthea.

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const records = ["va-florentino8-raynor401", "va-sheba703-harris789", "syn-soledad678-guzman14",
  "syn-lucas404-leon820"] as const

const categories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]

const accessOf = (headers: { readonly authorization: string }, patient: string): Access => ({
  url: service.url,
  accessToken: headers.authorization.slice("Bearer ".length),
  patient
})

const connect = async (texts: Texts) => {
  const veteran = await signInVeteran(service)
  await sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)
  const { headers } = await connectApp(service, owner, veteran, { categories })
  const all: ReadonlyArray<any> = Object.values(texts).flat().map((text) => JSON.parse(text))
  const of = (type: string) => all.filter(({ resourceType }) => resourceType === type)
  const dates = of("Observation").map(({ effectiveDateTime }) => Date.parse(effectiveDateTime)).sort((a, b) => b - a)
  return {
    access: accessOf(headers, of("Patient")[0]?.id ?? veteran.id),
    of,
    /** The ten newest dates of Observations. */
    newest: dates.slice(0, 10),
    subject: of("Observation")[0].subject.reference as string,
    count: all.length
  }
}

const resourcesIn = (bundle: any, mode: string): ReadonlyArray<any> =>
  bundle.entry.filter(({ search }: any) => search.mode === mode).map(({ resource }: any) => resource)

const datesIn = (bundle: any) =>
  resourcesIn(bundle, "match").map(({ effectiveDateTime }) => Date.parse(effectiveDateTime))

describe.each(records)("With the record %s", async (name) => {
  const { access, count, newest, of, subject } = await connect(patientTexts(name))

  test.each(Object.entries(stockClients))("%s sorts, includes, and asks for everything", async (_, open) => {
    const client = open(access)
    assert.deepStrictEqual(datesIn(await client.sorted()), newest)
    const compartment = await client.compartment()
    assert.deepStrictEqual([datesIn(compartment), compartment.total], [newest, of("Observation").length])
    const everything = await client.everything()
    assert.deepStrictEqual([everything.total, resourcesIn(everything, "match").length], [count, count])
    const included = resourcesIn(await client.included(), "include")
    const ids = (type: string) => included.filter(({ resourceType }) => resourceType === type).map(({ id }) => id)
    const wanted = of("MedicationRequest").flatMap(({ medicationReference }) =>
      medicationReference?.reference.split(/[:/]/).at(-1) ?? []
    )
    assert.sameMembers(ids("Medication"), of("Medication").map(({ id }) => id).filter((id) => wanted.includes(id)))
    assert.sameMembers(ids("Provenance"), of("Provenance").map(({ id }) => id))
    assert.strictEqual((await client.resolved(`Patient/${access.patient}`)).id, access.patient)
  })

  test("fhir-kit-client resolves the subject in $everything", async () => {
    if (!subject.startsWith("http")) return
    const everything: any = await stockClients["fhir-kit-client"]!(access).everything()
    const resolved: any = await fhirKit(access).resolve({ reference: subject, context: everything })
    assert.deepStrictEqual([resolved.resourceType, resolved.id], ["Patient", access.patient])
  })

  test("fhirclient resolves all subjects by what $everything holds, and asks nobody else", async () => {
    const client = fhirClient(access)
    const everything = await client.request(`Patient/${access.patient}/$everything`)
    // An application fills the client's cache by the addresses in the bundle, and by the URNs of the same ids.
    const cache = Object.fromEntries(
      everything.entry.flatMap(({ fullUrl, resource }: any) =>
        fullUrl === undefined ? [] : [[fullUrl, resource], [`urn:uuid:${resource.id}`, resource]]
      )
    )
    const known = Object.keys(cache).length
    const resolveReferences = ["subject"]
    const found = await client.request("Observation?_count=50", { resolveReferences, graph: true }, cache)
    const subjects = resourcesIn(found, "match").map(({ subject }: any) => `${subject.resourceType}/${subject.id}`)
    assert.deepStrictEqual([...new Set(subjects)], [`Patient/${access.patient}`])
    assert.strictEqual(Object.keys(cache).length, known)
  })

  test("fhirclient follows pages and reads its patient", async () => {
    const client = fhirClient(access)
    const all: any = await client.patient.request("Observation?_sort=-date&_count=7", { pageLimit: 0, flat: true })
    assert.deepStrictEqual(all.slice(0, 10).map((one: any) => Date.parse(one.effectiveDateTime)), newest)
    assert.strictEqual(all.length, of("Observation").length)
    assert.strictEqual((await client.patient.read()).id, access.patient)
  })

  test("MedplumClient reads everything, the newest one, and its patient", async () => {
    const medplum = medplumClient(access)
    assert.strictEqual((await medplum.readPatientEverything(access.patient)).total, count)
    const newestOne: any = await medplum.searchOne("Observation", "_sort=-date")
    assert.strictEqual(Date.parse(newestOne.effectiveDateTime), newest[0])
    const [found] = await medplum.searchResources("Patient", {})
    assert.strictEqual(found!.id, access.patient)
  })
})

describe("With relative references", async () => {
  const item = (resourceType: string, id: string, members: object = {}) =>
    JSON.stringify({ resourceType, id, ...members })
  const prescription = {
    subject: { reference: "Patient/p" },
    encounter: { reference: "Encounter/e" },
    medicationReference: { reference: "Medication/m" }
  }
  const { app } = await syncAndConnect(service, owner, {
    Patient: [item("Patient", "p")],
    Encounter: [item("Encounter", "e", { subject: prescription.subject })],
    Medication: [item("Medication", "m")],
    MedicationRequest: [item("MedicationRequest", "r", prescription)]
  })
  const access = accessOf(app.headers, "p")

  test.each(Object.entries(stockClients))("%s resolves each of them", async (_, open) => {
    const client = open(access)
    for (const { reference } of Object.values(prescription)) {
      const { id, resourceType } = await client.resolved(reference)
      assert.strictEqual(`${resourceType}/${id}`, reference)
    }
  })

  test("fhirclient resolves those of a search and of one item", async () => {
    const client = fhirClient(access)
    const resolveReferences = Object.keys(prescription)
    const found = await client.request("MedicationRequest", {
      resolveReferences,
      graph: true,
      flat: true,
      pageLimit: 0
    })
    const read = await client.request("MedicationRequest/r", { resolveReferences, graph: true })
    for (const one of [found[0], read]) {
      assert.deepStrictEqual(
        resolveReferences.map((member) => `${one[member].resourceType}/${one[member].id}`),
        Object.values(prescription).map(({ reference }) => reference)
      )
    }
  })
})
