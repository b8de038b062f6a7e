import { Record } from "effect"
import { pageLimit, recordPageMaximum } from "../../domain/Page.ts"
import { fhirAnswerOf, fhirSchemas } from "../fhir/DocumentSchemas.ts"

type Json = Record<string, any>

/** Finishes the OpenAPI document (`OpenApi.Transform`) with facts that no annotation of the contract can state. */
export const finishDocument = (document: Json): Json => {
  const { components, paths, ...rest } = withoutMissing(document)
  const schemas = Record.filter(components.schemas as Json, (_, name) => !onlyOutcomes.includes(name))
  return {
    ...rest,
    paths: Record.map(paths, (operations: Json) => Record.map(operations, finishOperation)),
    components: {
      ...components,
      schemas: {
        ...Record.map(schemas, (schema, name) => withRequestId(open.includes(name) ? withOthers(schema) : schema)),
        ...fhirSchemas
      }
    }
  }
}

/** A body in which the service ignores members that it does not know, as the body's standard says. */
const open = ["ShlManifestRequest"]

const withOthers = ({ additionalProperties: _, ...schema }: Json): Json => schema

/**
 * The document for the documentation page, which has a field for each credential at its top. Each route gets only its
 * own credential; otherwise the page would send every credential to every route.
 */
export const documentForPage = (document: Json): Json => {
  const finished = finishDocument(document)
  // A credential in a cookie is left out, because a page cannot set the header `cookie`.
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

/**
 * Removes the last `null` from the `anyOf` of each optional member, because it only stands for a missing value. A
 * member whose value may be null has another `null` before it, which stays.
 */
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

/** Code generators need `items` in every array, even if its items may be anything. */
const withItems = (schema: Json): Json =>
  schema["type"] === "array" && !("items" in schema || "prefixItems" in schema) ? { ...schema, items: {} } : schema

const withoutLastNull = ({ anyOf, ...rest }: Json): Json => {
  if (anyOf?.at(-1)?.type !== "null") return anyOf === undefined ? rest : { anyOf, ...rest }
  return anyOf.length === 2 ? { ...anyOf[0], ...rest } : { anyOf: anyOf.slice(0, -1), ...rest }
}

/** Marks `requestId` as required, because Responses.ts adds it to every error. */
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
    // The contract decodes `limit` from text, but the document is to show clients a number.
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
 * In these groups, the contract declares even a parameter that may be sent only once as a list. So the service, and not
 * the schema, refuses a repeated one. The document shows such a parameter as a single value.
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
  // Without an encoding, code generators may join the values with commas.
  const encoding = Record.map(lists, () => ({ style: "form", explode: true }))
  const form = { schema, ...!Record.isEmptyRecord(encoding) && { encoding } }
  // An operation that also takes Parameters may take its parameters from the query alone.
  const required = requestBody["content"]["application/fhir+json"] === undefined
  return { ...requestBody, required, content: { ...requestBody["content"], [formType]: form } }
}

const groupOf = (operationId: string) => operationId.split(".", 1)[0]!

const outcome = { "application/fhir+json": { schema: { $ref: "#/components/schemas/OperationOutcome" } } }

/** Operations whose errors have the form of a standard (ErrorBodies.ts) or are pages (oauth/ProblemPages.ts). */
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

/** Errors that only the FHIR API answers, as OperationOutcomes: nothing refers to their own schemas. */
const onlyOutcomes = ["NotAcceptable", "TooCostly", "TypeNotSupported"]

/** The lists whose `limit` is that of `RecordPageRequest`. */
const recordPages = ["healthRecord.items", "patients.record"]

/** Operations without a body never answer with the errors about bodies, although their group declares these errors. */
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
