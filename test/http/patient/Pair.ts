import { assert, beforeEach } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import type { Service } from "../../support/Service.ts"
import { readPatientRecord } from "../Sharing.ts"

let service: Service

export let provider: SignedIn

export let veteran: SignedIn

/** Opens the worker's app. Before each test of the calling file, `provider` and `veteran` become new ones. */
export const openPair = async () => {
  const app = await openApp()
  const superuser = await app.database.connect("superuser")
  beforeEach(async () => {
    service = app.service
    provider = await newProvider(superuser)
    veteran = await signInVeteran(service)
  })
  return { ...app, superuser }
}

/** Reads the veteran's record as the provider, who must have a grant. */
export const view = async (query = "") => {
  const answer = await readPatientRecord(service, provider, veteran, query)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
}

export const readChanges = (query = "", by = provider, of: { readonly id: string } = veteran) =>
  call(service, "GET", `/api/provider/patients/${of.id}/record/changes${query}`, { headers: by.headers })
