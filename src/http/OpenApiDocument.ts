import { Record } from "effect"
import { pageLimit, recordPageMaximum } from "../domain/Page.ts"

type Json = Record<string, any>

/**
 * Finishes the OpenAPI document (`OpenApi.Transform`): says what is so on the wire and cannot be said by an annotation of
 * the contract.
 */
export const finishDocument = (document: Json): Json => {
  const { components, paths, ...rest } = withoutMissing(document)
  const schemas = Record.filter(components.schemas as Json, (_, name) => !onlyOutcomes.includes(name))
  return {
    ...rest,
    paths: Record.map(paths, (operations: Json) => Record.map(operations, finishOperation)),
    components: { ...components, schemas: { ...Record.map(schemas, withRequestId), OperationOutcome: outcomeSchema } }
  }
}

/**
 * For the documentation page: a field for each credential at its top, and each route is sent its own alone. Otherwise the
 * page would send every credential that was typed to every route.
 */
export const documentForPage = (document: Json): Json => {
  const finished = finishDocument(document)
  // No page may send a cookie that was typed.
  const schemes = Object.entries<Json>(finished["components"].securitySchemes).filter(([, scheme]) =>
    scheme["in"] !== "cookie"
  )
  const names = schemes.map(([name]) => name)
  return {
    ...finished,
    "x-scalar-set-operation-security": true,
    "x-scalar-selected-security": {
      selectedIndex: names.indexOf("veteran"),
      selectedSchemes: names.map((name) => ({ [name]: [] }))
    }
  }
}

/** A member that may be left out has a null too many in its `anyOf`: the one that stands for what is missing. */
const withoutMissing = (value: any): any => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(withoutMissing)
  const schema: Json = Record.map(value, withoutMissing)
  const { properties, required = [] } = schema
  if (properties === undefined) return schema
  return {
    ...schema,
    properties: Record.map(
      properties as Json,
      (property, name) => required.includes(name) ? property : withoutLastNull(property)
    )
  }
}

const withoutLastNull = ({ anyOf, ...rest }: Json): Json => {
  if (anyOf?.at(-1)?.type !== "null") return anyOf === undefined ? rest : { anyOf, ...rest }
  return anyOf.length === 2 ? { ...anyOf[0], ...rest } : { anyOf: anyOf.slice(0, -1), ...rest }
}

/** An error gets its request id as it leaves (Responses.ts). */
const withRequestId = (schema: Json): Json =>
  "requestId" in (schema["properties"] ?? {})
    ? { ...schema, required: [...schema["required"], "requestId"] }
    : schema

const finishOperation = (operation: Json): Json => {
  const { operationId, parameters, requestBody, responses } = operation
  const maximum = recordPages.includes(operationId) ? recordPageMaximum : pageLimit.maximum
  const limit = { type: "integer", ...pageLimit, maximum }
  return {
    ...operation,
    // A number in a query is decoded from text; its client sends a number.
    parameters: parameters.map((parameter: Json) => ({
      ...parameter,
      schema: parameter["name"] === "limit" ? limit : withoutLoneAlternative(parameter["schema"])
    })),
    responses: Record.map(
      requestBody === undefined ? withoutBodyErrors(responses) : responses,
      (response: Json, status) => withRetryAfter(inItsForm(operationId, response, status), status)
    )
  }
}

/** What groups answer errors in the form of a standard, or as a page for a person (ErrorBodies.ts, oauth/ProblemPages.ts). */
const errorForms: Record<string, Json> = {
  fhir: { "application/fhir+json": { schema: { $ref: "#/components/schemas/OperationOutcome" } } },
  fhirMetadata: { "application/fhir+json": { schema: { $ref: "#/components/schemas/OperationOutcome" } } },
  oauthTokens: { "application/json": { schema: { $ref: "#/components/schemas/OAuthError" } } },
  authorize: { "text/html": { schema: { type: "string" } } }
}

const inItsForm = (operationId: string, response: Json, status: string): Json => {
  const content = errorForms[operationId.split(".", 1)[0]!]
  const isDeclared = Number(status) < 400 || JSON.stringify(response).includes("schemas/InvalidClient")
  return isDeclared || content === undefined ? response : { ...response, content }
}

const withoutLoneAlternative = ({ anyOf, ...rest }: Json): Json =>
  anyOf?.length === 1 ? { ...anyOf[0], ...rest } : anyOf === undefined ? rest : { anyOf, ...rest }

/** Errors of that API alone are told as outcomes, and nothing refers to what they are within the service. */
const onlyOutcomes = ["NotAcceptable", "TypeNotSupported"]

const texts = { type: "string" }

const outcomeSchema = {
  type: "object",
  description: "A FHIR R4 OperationOutcome; its id is the request's",
  properties: {
    resourceType: { type: "string", enum: ["OperationOutcome"] },
    id: { type: "string", format: "uuid" },
    issue: {
      type: "array",
      items: {
        type: "object",
        properties: {
          severity: texts,
          code: texts,
          details: { type: "object", properties: { text: texts }, required: ["text"] }
        },
        required: ["severity", "code", "details"]
      }
    }
  },
  required: ["resourceType", "id", "issue"]
}

/** The lists whose `limit` is that of `RecordPageRequest`. */
const recordPages = ["healthRecord.items", "patients.record"]

/** The errors of bodies are declared for a whole group; a request without a body meets none of them. */
const withoutBodyErrors = ({ "408": _timeout, "413": _tooLarge, "415": _mediaType, ...responses }: Json): Json => ({
  ...responses,
  "400": {
    description: "A parameter does not fit the schema: see 'issues'.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/InvalidRequest" } } }
  }
})

const withRetryAfter = (response: Json, status: string): Json =>
  status === "429" || status === "503" ? { ...response, headers: { "retry-after": retryAfter } } : response

const retryAfter = { description: "Seconds to wait", required: true, schema: { type: "integer", minimum: 1 } }
