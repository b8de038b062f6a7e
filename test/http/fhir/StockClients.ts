import { MedplumClient } from "@medplum/core"
import { Client as FhirKit } from "fhir-kit-client"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"

// Published clients, unmodified, each with its own way to ask for what stock apps ask for (contract, part 12).

const require = createRequire(import.meta.url)

const fhirJs: (config: object) => any = require("fhir.js")

const smart: (request: IncomingMessage, response: ServerResponse, storage: object) => {
  client: (state: object) => any
} = require("fhirclient")

export interface Access {
  /** The service's address, without a path. */
  readonly url: string
  readonly accessToken: string
  readonly patient: string
}

export interface StockClient {
  /** The patient's ten newest Observations. */
  readonly sorted: () => Promise<any>
  /** The same, from the patient's compartment. */
  readonly compartment: () => Promise<any>
  /** All prescriptions, with their medications and with the Provenance of each. */
  readonly included: () => Promise<any>
  /** Posts `$everything`. */
  readonly everything: () => Promise<any>
  /** Resolves a relative reference. */
  readonly resolved: (reference: string) => Promise<any>
}

const baseUrlOf = ({ url }: Access) => `${url}/api/fhir/R4`

const sorted = { _sort: "-date", _count: 10 }

const include = "_include=MedicationRequest:medication&_revinclude=Provenance:target"

const thousand = { resourceType: "Parameters", parameter: [{ name: "_count", valueInteger: 1000 }] } as const

export const fhirKit = (access: Access) => new FhirKit({ baseUrl: baseUrlOf(access), bearerToken: access.accessToken })

const storage = { get: async () => undefined, set: async () => {}, unset: async () => true }

export const fhirClient = (access: Access): any =>
  smart({} as IncomingMessage, {} as ServerResponse, storage).client({
    serverUrl: baseUrlOf(access),
    tokenResponse: { access_token: access.accessToken, patient: access.patient }
  })

export const medplumClient = ({ accessToken, url }: Access) =>
  new MedplumClient({ baseUrl: `${url}/`, fhirUrlPath: "api/fhir/R4", accessToken, fetch })

const json = { "content-type": "application/json" }

export const stockClients: Readonly<Record<string, (access: Access) => StockClient>> = {
  "fhir-kit-client": (access) => {
    const client = fhirKit(access)
    const compartment = { resourceType: "Patient", id: access.patient }
    return {
      sorted: () =>
        client.resourceSearch({ resourceType: "Observation", searchParams: sorted, options: { postSearch: true } }),
      compartment: () => client.compartmentSearch({ resourceType: "Observation", compartment, searchParams: sorted }),
      included: () => client.request(`MedicationRequest?${include}&_count=1000`),
      // Its operation is a POST by default.
      everything: () => client.operation({ name: "everything", ...compartment, input: thousand }),
      resolved: (reference) => client.resolve({ reference })
    }
  },
  "fhirclient": (access) => {
    const client = fhirClient(access)
    const post = { method: "POST", headers: json, body: JSON.stringify(thousand) }
    return {
      sorted: () => client.patient.request("Observation?_sort=-date&_count=10"),
      compartment: () => client.request(`Patient/${access.patient}/Observation?_sort=-date&_count=10`),
      included: () => client.request(`MedicationRequest?${include}&_count=1000`),
      everything: () => client.request({ url: `Patient/${access.patient}/$everything`, ...post }),
      resolved: async (reference) => {
        const holder = { resourceType: "Basic", subject: { reference } }
        await client.resolveReferences(holder, ["subject"])
        return holder.subject
      }
    }
  },
  "MedplumClient": (access) => {
    const client = medplumClient(access)
    const at = (...path: ReadonlyArray<string>) => client.fhirUrl("Patient", access.patient, ...path)
    return {
      sorted: () => client.search("Observation", "_sort=-date&_count=10"),
      compartment: () => client.get(`${at("Observation")}?_sort=-date&_count=10`),
      included: () => client.search("MedicationRequest", `${include}&_count=1000`),
      everything: () => client.post(at("$everything"), thousand),
      resolved: (reference) => client.readReference({ reference })
    }
  },
  "fhir.js": (access) => {
    const client = fhirJs({ baseUrl: baseUrlOf(access), auth: { bearer: access.accessToken } })
    const dataOf = async (answer: Promise<any>) => (await answer).data
    const newest = { $sort: ["-date"], _count: 10 }
    return {
      sorted: () => dataOf(client.search({ type: "Observation", query: newest })),
      compartment: () => dataOf(client.search({ type: `Patient/${access.patient}/Observation`, query: newest })),
      included: () =>
        dataOf(client.search({
          type: "MedicationRequest",
          query: { $include: { MedicationRequest: "medication" }, $revInclude: { Provenance: "target" }, _count: 1000 }
        })),
      everything: () => dataOf(client.create({ type: `Patient/${access.patient}/$everything`, resource: thousand })),
      resolved: (reference) => dataOf(client.resolve({ reference: { reference } }))
    }
  }
}
