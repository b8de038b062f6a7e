import { fhirTypes } from "../../domain/FhirType.ts"
import { dateOrder } from "./ListingOrder.ts"
import { parametersOf } from "./SearchParameters.ts"

interface Service {
  readonly fhirBase: string
  readonly oauthIssuer: string
  readonly version: string
}

/** The date of the last change to this statement. */
const date = "2026-11-26"

/** Search parameters of every type. `patient` and `subject` match only the token's patient. */
const common = [
  { name: "_id", type: "token" },
  { name: "_lastUpdated", type: "date", documentation: "When this service stored the present text" },
  { name: "patient", type: "reference", documentation: "The token's patient; another has nothing here" },
  { name: "subject", type: "reference", documentation: "The token's patient; another has nothing here" }
]

/** `date` means the date that R4 names otherwise for some types. */
const ordersOf = (type: string) => {
  const date = dateOrder(type)
  return [...new Set(["_lastUpdated", ...date === undefined ? [] : ["date", date]])]
}

const resourceOf = (type: string) => ({
  type,
  interaction: [{ code: "read" }, { code: "search-type" }],
  versioning: "no-version",
  readHistory: false,
  searchParam: [...common, ...Array.from(parametersOf(type), ([name, { kind }]) => ({ name, type: kind }))],
  ...type === "MedicationRequest" && { searchInclude: ["MedicationRequest:medication"] },
  searchRevInclude: ["Provenance:target"],
  documentation: `Takes \`_sort\` by ${ordersOf(type).join(", ")}, each with \`-\` before it or not.`,
  ...type === "Patient" && {
    operation: [{
      name: "everything",
      definition: "http://hl7.org/fhir/OperationDefinition/Patient-everything",
      documentation: "The types of the token's scopes, in pages; `_type`, `_since` and `_count`"
    }]
  }
})

const oauthUris = "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris"

/** The capabilities of the FHIR API (FHIR R4, 5.1), the same for every client. */
export const capabilityStatement = ({ fhirBase, oauthIssuer, version }: Service) => ({
  resourceType: "CapabilityStatement",
  status: "active",
  date,
  kind: "instance",
  software: { name: "Veteran Records Sharing Service", version },
  implementation: { description: "Veterans' records, for apps that they connected", url: fhirBase },
  fhirVersion: "4.0.1",
  format: ["application/fhir+json", "json"],
  rest: [{
    mode: "server",
    documentation: "Read-only. Each resource is the exact text that the veteran's app synchronised.",
    security: {
      cors: true,
      service: [{
        coding: [{
          system: "http://terminology.hl7.org/CodeSystem/restful-security-service",
          code: "SMART-on-FHIR",
          display: "SMART-on-FHIR"
        }],
        text: "OAuth 2.1 with SMART App Launch"
      }],
      extension: [{
        url: oauthUris,
        extension: ["authorize", "token", "revoke", "introspect"].map((url) => ({
          url,
          valueUri: `${oauthIssuer}/${url}`
        }))
      }]
    },
    resource: [...fhirTypes].map(resourceOf)
  }]
})
