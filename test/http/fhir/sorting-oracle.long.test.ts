import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { patientTexts, smallerPatients } from "../../support/Collection.ts"
import { sync } from "../../support/Sync.ts"
import { connectApp, idsOf, pages } from "./Apps.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const categories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]

/** Where each type of the shared patients has the date of `_sort=date`, written here a second time. */
const dateOf: Readonly<Record<string, (resource: any) => ReadonlyArray<unknown>>> = {
  AllergyIntolerance: ({ recordedDate }) => [recordedDate],
  CarePlan: ({ period }) => [period],
  CareTeam: ({ period }) => [period],
  Condition: ({ onsetDateTime, onsetPeriod }) => [onsetDateTime, onsetPeriod],
  DiagnosticReport: ({ effectiveDateTime, effectivePeriod }) => [effectiveDateTime, effectivePeriod],
  DocumentReference: ({ date }) => [date],
  Encounter: ({ period }) => [period],
  Immunization: ({ occurrenceDateTime }) => [occurrenceDateTime],
  MedicationAdministration: ({ effectiveDateTime, effectivePeriod }) => [effectiveDateTime, effectivePeriod],
  MedicationRequest: ({ authoredOn }) => [authoredOn],
  Observation: (one) => [one.effectiveDateTime, one.effectivePeriod, one.effectiveInstant],
  Procedure: ({ performedDateTime, performedPeriod }) => [performedDateTime, performedPeriod],
  Provenance: ({ recorded }) => [recorded],
  ServiceRequest: ({ authoredOn }) => [authoredOn]
}

/** JavaScript reads a date without a time, of any precision, as the start of it in UTC. */
const momentOf = (value: any): number | undefined => {
  const text = typeof value === "string" ? value : value?.start ?? value?.end
  const moment = text === undefined ? NaN : Date.parse(text)
  return Number.isNaN(moment) ? undefined : moment
}

const keyOf = (resource: any): number | undefined =>
  dateOf[resource.resourceType]!(resource).map(momentOf).find((moment) => moment !== undefined)

const referencesOf = (resource: any): ReadonlyArray<string> =>
  [resource.medicationReference, ...resource.target ?? []].flatMap((one) => one?.reference ?? [])

/** Whether a reference, relative or absolute or by UUID, leads to a resource. */
const leadsTo = (reference: string, { id, resourceType }: any) =>
  reference === `urn:uuid:${id}` || `/${reference}`.endsWith(`/${resourceType}/${id}`)

test.each(smallerPatients)("Sorting and including of %s is that of a simple oracle", async (patient) => {
  const veteran = await signInVeteran(service)
  const parsed = Object.entries(patientTexts(patient)).map(([type, texts]) =>
    [type, [...new Map(texts.map((text) => [JSON.parse(text).id as string, text])).values()]] as const
  )
  await sync(
    service,
    veteran,
    Object.fromEntries(parsed.map(([type]) => [type, "complete"])),
    Object.fromEntries(parsed)
  )
  const app = await connectApp(service, owner, veteran, { categories })
  const of = (type: string): ReadonlyArray<any> =>
    (parsed.find(([name]) => name === type)?.[1] ?? []).map((text) => JSON.parse(text))

  for (const [type] of parsed) {
    if (dateOf[type] === undefined) continue
    const items = of(type).map((resource) => ({ id: resource.id as string, key: keyOf(resource) }))
    for (const direction of [1, -1]) {
      const wanted = items.toSorted((a, b) =>
        a.key === b.key
          ? (a.id < b.id ? -1 : 1)
          : a.key === undefined
          ? 1
          : b.key === undefined
          ? -1
          : direction * (a.key - b.key)
      )
      const sorted = await pages(service, app, `/${type}?_sort=${direction < 0 ? "-" : ""}date&_count=400`)
      assert.deepStrictEqual(sorted.flatMap(idsOf), wanted.map(({ id }) => id), `${type} ${direction}`)
    }

    const query = "_revinclude=Provenance:target&_include=MedicationRequest:medication&_count=200"
    for (const { json } of await pages(service, app, `/${type}?${query}`)) {
      const resources = (mode: string): ReadonlyArray<any> =>
        (json.entry ?? []).filter(({ search }: any) => search.mode === mode).map(({ resource }: any) => resource)
      const matches = resources("match")
      const isMatch = ({ id, resourceType }: any) =>
        matches.some((match) => match.id === id && match.resourceType === resourceType)
      const wanted = [
        ...type === "MedicationRequest"
          ? of("Medication").filter((one) =>
            matches.some((match) => referencesOf(match).some((to) => leadsTo(to, one)))
          )
          : [],
        ...of("Provenance").filter((one) =>
          !isMatch(one) && referencesOf(one).some((to) => matches.some((match) => leadsTo(to, match)))
        )
      ]
      const names = (all: ReadonlyArray<any>) => all.map(({ id, resourceType }) => `${resourceType}/${id}`).toSorted()
      assert.deepStrictEqual(names(resources("include")), names(wanted), type)
    }
  }
})
