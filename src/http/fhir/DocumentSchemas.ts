/** Schemas of FHIR answers for the OpenAPI document. They declare only a few members; FHIR R4 defines the rest. */

const text = { type: "string" }

const id = { type: "string", pattern: "^[A-Za-z0-9\\-.]{1,64}$" }

const resource = {
  type: "object",
  description: "A FHIR R4 resource",
  properties: { resourceType: text, id },
  required: ["resourceType"]
}

const named = (resourceType: string, properties: object, required: ReadonlyArray<string>) => ({
  type: "object",
  properties: { resourceType: { type: "string", enum: [resourceType] }, ...properties },
  required: ["resourceType", ...required]
})

const list = (properties: object, required: ReadonlyArray<string>) => ({
  type: "array",
  items: { type: "object", properties, required }
})

export const fhirSchemas = {
  Resource: resource,
  Bundle: {
    description: "A FHIR R4 Bundle: what a search found, or the record that a release carries",
    ...named("Bundle", {
      id,
      type: { type: "string", enum: ["searchset", "collection"] },
      timestamp: { type: "string", format: "date-time" },
      total: { type: "integer", minimum: 0 },
      link: list({ relation: text, url: text }, ["relation", "url"]),
      entry: list(
        {
          fullUrl: text,
          resource: { $ref: "#/components/schemas/Resource" },
          search: {
            type: "object",
            properties: { mode: { type: "string", enum: ["match", "include", "outcome"] } },
            required: ["mode"]
          }
        },
        ["resource"]
      )
    }, ["type"])
  },
  CapabilityStatement: {
    description: "A FHIR R4 CapabilityStatement",
    ...named("CapabilityStatement", { fhirVersion: text, rest: { type: "array", items: { type: "object" } } }, [
      "fhirVersion",
      "rest"
    ])
  },
  OperationOutcome: {
    description: "A FHIR R4 OperationOutcome; its id is the request's",
    ...named("OperationOutcome", {
      id: { type: "string", format: "uuid" },
      issue: list({
        severity: text,
        code: text,
        details: { type: "object", properties: { text }, required: ["text"] }
      }, ["severity", "code", "details"])
    }, ["id", "issue"])
  }
}

export const fhirAnswerOf = (operationId: string): { readonly $ref: string } => ({
  $ref: `#/components/schemas/${answers[operationId] ?? "Bundle"}`
})

const answers: Readonly<Record<string, keyof typeof fhirSchemas>> = {
  "fhirMetadata.metadata": "CapabilityStatement",
  "fhir.read": "Resource",
  "shapes.grant": "Resource"
}
