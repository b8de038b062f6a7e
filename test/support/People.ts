import { randomUUID } from "node:crypto"
import { asAdmin, call, providerPassword } from "./Client.ts"
import type { Service } from "./Service.ts"

/** Registers people over HTTP, and reads what operators did to them. */
export const openPeople = (service: Pick<Service, "url">) => {
  const admin = (method: string, path: string, body?: unknown) =>
    call(service, method, `/api/admin${path}`, { headers: asAdmin, ...(body === undefined ? {} : { body }) })
  const newEmail = (name = "person") => `${name}-${randomUUID()}@clinic.example`
  return {
    admin,
    newEmail,
    newProvider: async (more: Record<string, unknown> = {}) =>
      (await admin("POST", "/providers", {
        email: newEmail("Ada"),
        password: providerPassword,
        displayName: "Dr. Ada Gray",
        organization: "Gray Clinic",
        ...more
      })).json,
    newVeteran: async (more: Record<string, unknown> = {}) =>
      (await admin("POST", "/veterans", {
        vaPatientId: `icn-${randomUUID()}`,
        callSign: "Eagle",
        email: newEmail("eagle"),
        ...more
      })).json,
    /** The newest first. */
    actsOf: async (id: string): Promise<ReadonlyArray<string>> =>
      (await admin("GET", `/acts?target=${id}`)).json.items.map(({ act }: any) => act)
  }
}
