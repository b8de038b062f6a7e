import type pg from "pg"
import { call, type SignedIn } from "../support/Client.ts"
import type { Service } from "../support/Service.ts"

/** Helpers that several tests of sharing use, for a provider and for the veteran. */

type Target = Pick<Service, "url">

export const readPatientRecord = (service: Target, provider: SignedIn, veteran: { readonly id: string }, query = "") =>
  call(service, "GET", `/api/provider/patients/${veteran.id}/record${query}`, { headers: provider.headers })

export const listPatients = (service: Target, provider: SignedIn, query = "") =>
  call(service, "GET", `/api/provider/patients${query}`, { headers: provider.headers })

export const readNotes = (service: Target, provider: SignedIn, veteran: { readonly id: string }, query = "") =>
  call(service, "GET", `/api/provider/patients/${veteran.id}/notes${query}`, { headers: provider.headers })

export const writeNote = (service: Target, provider: SignedIn, veteran: { readonly id: string }, body: unknown) =>
  call(service, "POST", `/api/provider/patients/${veteran.id}/notes`, { headers: provider.headers, body })

export const revoke = (service: Target, veteran: SignedIn, grant: { readonly id: string }) =>
  call(service, "POST", `/api/veteran/me/consent-grants/${grant.id}/revoke`, { headers: veteran.headers })

/** Moves the end of a grant to a moment in the past. */
export const expireGrant = (superuser: pg.Client, { id }: { readonly id: string }) =>
  superuser.query("update consent_grants set expires_at = clock_timestamp() - interval '1 millisecond' where id = $1", [
    id
  ])

/** A grant as a provider sees it: without the members about apps. */
export const seenByProvider = ({ app: _, scope: __, ...grant }: any) => grant
