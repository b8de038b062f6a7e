/** The time of the last change to this bundle. */
const timestamp = "2026-11-23T00:00:00Z"

const name = "Veteran Records Sharing Service"

export const serviceOrganizationId = "veteran-records"

/** Describes the service and its FHIR endpoint to app galleries (SMART App Launch 2.2, "User-access Brands"). */
export const brandsBundle = ({ fhirBase }: { readonly fhirBase: string }) => {
  const { origin } = new URL(fhirBase)
  const brands = `${fhirBase}/brands`
  return {
    resourceType: "Bundle",
    id: "brands",
    type: "collection",
    timestamp,
    entry: [
      {
        fullUrl: `${brands}/Organization/${serviceOrganizationId}`,
        resource: {
          resourceType: "Organization",
          id: serviceOrganizationId,
          identifier: [{ system: "urn:ietf:rfc:3986", value: origin }],
          active: true,
          name,
          telecom: [{ system: "url", value: origin }],
          endpoint: [{ reference: `Endpoint/${serviceOrganizationId}` }]
        }
      },
      {
        fullUrl: `${brands}/Endpoint/${serviceOrganizationId}`,
        resource: {
          resourceType: "Endpoint",
          id: serviceOrganizationId,
          extension: [{
            url: "http://hl7.org/fhir/StructureDefinition/endpoint-fhir-version",
            valueCode: "4.0.1"
          }],
          status: "active",
          connectionType: {
            system: "http://terminology.hl7.org/CodeSystem/endpoint-connection-type",
            code: "hl7-fhir-rest"
          },
          name,
          contact: [{ system: "url", value: `${origin}/api/docs` }],
          payloadType: [{
            coding: [{ system: "http://terminology.hl7.org/CodeSystem/endpoint-payload-type", code: "none" }]
          }],
          address: fhirBase
        }
      }
    ]
  }
}
