import { assert } from "vitest"
import { call, type SignedIn } from "../support/Client.ts"
import type { Service } from "../support/Service.ts"

/** What the tests of sharing do again and again: sync, look at a record as a provider, read every page. */

type Target = Pick<Service, "url">

/** `resources` of a type as JSON texts, which go as they are. */
export const sync = async (
  service: Target,
  veteran: SignedIn,
  statuses: Record<string, string>,
  resources: Record<string, ReadonlyArray<string>> = {}
) => {
  const members = Object.entries(resources).map(([type, texts]) => `${JSON.stringify(type)}:[${texts.join()}]`)
  const answer = await call(service, "POST", "/api/veteran/me/health-record/sync", {
    headers: veteran.headers,
    body: `{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"resources":{${members.join()}}}`
  })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
}

const labels = { hiv: "HIV", alcohol_abuse: "ETHUD", sickle_cell: "SICKLE" }

export type Category = keyof typeof labels

/** A resource's text; its sensitive categories are told by its security labels. */
export const resource = (resourceType: string, id: string, ...categories: ReadonlyArray<Category>) => {
  const security = categories.map((category) => ({
    system: "http://terminology.hl7.org/CodeSystem/v3-ActCode",
    code: labels[category]
  }))
  return JSON.stringify({ resourceType, id, ...(security.length > 0 ? { meta: { security } } : {}) })
}

export const readRecord = (service: Target, provider: SignedIn, veteran: { readonly id: string }, query = "") =>
  call(service, "GET", `/api/provider/patients/${veteran.id}/record${query}`, { headers: provider.headers })

export const listPatients = (service: Target, provider: SignedIn, query = "") =>
  call(service, "GET", `/api/provider/patients${query}`, { headers: provider.headers })

export const readNotes = (service: Target, provider: SignedIn, veteran: { readonly id: string }, query = "") =>
  call(service, "GET", `/api/provider/patients/${veteran.id}/notes${query}`, { headers: provider.headers })

export const writeNote = (service: Target, provider: SignedIn, veteran: { readonly id: string }, body: unknown) =>
  call(service, "POST", `/api/provider/patients/${veteran.id}/notes`, { headers: provider.headers, body })

export const revoke = (service: Target, veteran: SignedIn, grant: { readonly id: string }) =>
  call(service, "POST", `/api/veteran/me/consent-grants/${grant.id}/revoke`, { headers: veteran.headers })
