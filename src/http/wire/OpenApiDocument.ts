import { Record } from "effect"
import { pageLimit, recordPageMaximum } from "../../domain/Page.ts"
import { fhirAnswerOf, fhirSchemas } from "../fhir/DocumentSchemas.ts"

type Json = Record<string, any>

/**
 * Finishes the OpenAPI document (`OpenApi.Transform`): says what is so on the wire and cannot be said by an annotation
 * of the contract.
 */
export const finishDocument = (document: Json): Json => {
  const { components, paths, ...rest } = withoutMissing(document)
  const schemas = Record.filter(components.schemas as Json, (_, name) => !onlyOutcomes.includes(name))
  return {
    ...rest,
    paths: Record.map(paths, (operations: Json) => Record.map(operations, finishOperation)),
    components: { ...components, schemas: { ...Record.map(schemas, withRequestId), ...fhirSchemas } }
  }
}

/**
 * For the documentation page: a field for each credential at its top, and each route is sent its own alone. Otherwise
 * the page would send every credential that was typed to every route.
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
  const schema = withItems(Record.map(value, withoutMissing))
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

/** Generators ask of every list what its items are, though they may be anything. */
const withItems = (schema: Json): Json =>
  schema["type"] === "array" && !("items" in schema || "prefixItems" in schema) ? { ...schema, items: {} } : schema

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
      schema: parameter["name"] === "limit"
        ? limit
        : asSent(operationId, parameter["name"], withoutLoneAlternative(parameter["schema"]))
    })),
    ...requestBody && { requestBody: withForm(operationId, requestBody) },
    responses: Record.map(
      requestBody === undefined ? withoutBodyErrors(responses) : responses,
      (response: Json, status) => withRetryAfter(inItsForm(operationId, response, status), status)
    )
  }
}

/**
 * The contract of these groups takes each parameter as a list, so that the service can say in its own words that one
 * came twice. A client sends it once; only the boxes of a page are lists.
 */
const groupsOfLists = ["authorize", "fhir", "fhirMetadata"]

const boxes = ["type", "category"]

const asSent = (operationId: string, name: string, schema: Json): Json => {
  const { items, type, ...rest } = schema
  const once = type === "array" && groupsOfLists.includes(groupOf(operationId)) && !boxes.includes(name)
  return once ? { ...items, ...rest } : schema
}

const formType = "application/x-www-form-urlencoded"

const withForm = (operationId: string, requestBody: Json): Json => {
  const properties = requestBody["content"][formType]?.schema.properties
  if (properties === undefined) return requestBody
  const schema = {
    ...requestBody["content"][formType].schema,
    properties: Record.map(properties as Json, (property, name) => asSent(operationId, name, property))
  }
  const lists = Record.filter(schema.properties, ({ type }: Json) => type === "array")
  // What is said nothing of may be written by commas.
  const encoding = Record.map(lists, () => ({ style: "form", explode: true }))
  return { ...requestBody, content: { [formType]: { schema, ...!Record.isEmptyRecord(encoding) && { encoding } } } }
}

const groupOf = (operationId: string) => operationId.split(".", 1)[0]!

const outcome = { "application/fhir+json": { schema: { $ref: "#/components/schemas/OperationOutcome" } } }

/**
 * Groups and operations that answer errors in the form of a standard, or as a page for a person (ErrorBodies.ts,
 * oauth/ProblemPages.ts).
 */
const errorForms: Record<string, Json> = {
  fhir: outcome,
  fhirMetadata: outcome,
  "oauthMetadata.smartConfiguration": outcome,
  oauthTokens: { "application/json": { schema: { $ref: "#/components/schemas/OAuthError" } } },
  authorize: { "text/html": { schema: { type: "string" } } }
}

const inItsForm = (operationId: string, response: Json, status: string): Json => {
  if (response["content"]?.["application/fhir+json"] !== undefined) {
    return { ...response, content: { "application/fhir+json": { schema: fhirAnswerOf(operationId) } } }
  }
  const content = errorForms[operationId] ?? errorForms[groupOf(operationId)]
  const isDeclared = Number(status) < 400 || JSON.stringify(response).includes("schemas/InvalidClient")
  return isDeclared || content === undefined ? response : { ...response, content }
}

const withoutLoneAlternative = ({ anyOf, ...rest }: Json): Json =>
  anyOf?.length === 1 ? { ...anyOf[0], ...rest } : anyOf === undefined ? rest : { anyOf, ...rest }

/** Errors of that API alone are told as outcomes, and nothing refers to what they are within the service. */
const onlyOutcomes = ["NotAcceptable", "TypeNotSupported"]

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
