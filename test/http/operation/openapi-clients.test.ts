import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, beforeAll, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { prismJudge } from "../../support/Prism.ts"

const { service } = await openApp()

let document: any

let operations: ReadonlyArray<{ readonly name: string; readonly operation: any }>

beforeAll(async () => {
  document = (await call(service, "GET", "/api/openapi.json")).json
  operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
  )
})

/** Every schema of the document, with the name of the member that it describes. */
const schemas = (value: any, name = ""): ReadonlyArray<{ readonly name: string; readonly schema: any }> =>
  typeof value !== "object" || value === null
    ? []
    : [{ name, schema: value }, ...Object.entries(value).flatMap(([key, inner]) => schemas(inner, key))]

/** Returns a nullable schema without null, and any other schema unchanged. */
const notNull = (schema: any) => schema.anyOf?.find(({ type }: any) => type !== "null") ?? schema

const operationOf = (name: string) => operations.find((operation) => operation.name === name)!.operation

/** These groups and operations answer with errors in the forms of other standards. */
const ofStandards: Record<string, string> = {
  fhir: "OperationOutcome",
  fhirMetadata: "OperationOutcome",
  "oauthMetadata.smartConfiguration": "OperationOutcome",
  oauthTokens: "OAuthError",
  authorize: "text/html"
}

const refusals = (operation: any, status: string): ReadonlyArray<string> =>
  JSON.stringify(operation.responses[status]).match(/(?<=schemas\/)\w+/g) ?? []

describe("The OpenAPI document, for authors of clients", () => {
  test("is clean under Redocly's recommended rules", async () => {
    const directory = await mkdtemp(join(tmpdir(), "vrss-openapi-"))
    const file = join(directory, "openapi.json")
    await writeFile(file, JSON.stringify(document))
    const cli = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, "lint", file, "--extends=recommended", "--format=json"],
      { cwd: directory, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } }
    ).catch((failed: { readonly stdout: string }) => failed)
    await rm(directory, { recursive: true })
    // A navigation and the form of a page are answered with a redirect.
    const problems = JSON.parse(stdout).problems.filter(({ location, ruleId }: any) =>
      ruleId !== "operation-2xx-response" || !/~1google~1|~1oauth~1authorize~1/.test(location[0].pointer)
    )
    assert.deepStrictEqual(problems, [])
  })

  test("names each credential in a scheme that the documentation page supports", () => {
    const { admin, exchange, provider, veteran } = document.components.securitySchemes
    for (const scheme of [veteran, provider]) assert.deepInclude(scheme, { type: "http", scheme: "bearer" })
    assert.deepInclude(admin, { type: "apiKey", in: "header", name: "x-internal-admin-secret" })
    assert.deepInclude(exchange, { type: "apiKey", in: "header", name: "x-veteran-session-exchange" })
    for (const scheme of [veteran, provider, admin, exchange]) assert.isNotEmpty(scheme.description)
  })

  test("has a server, a summary of each operation and a description of each group", () => {
    assert.deepStrictEqual(document.servers, [{ url: "/" }])
    for (const { name, operation } of operations) assert.match(operation.summary, /^[A-Z][^.]+$/, name)
    for (const { description, name } of document.tags) assert.match(description, /^[A-Z].+\.$/, name)
  })

  test("states the format of ids, instants, dates and e-mails", () => {
    const formats: ReadonlyArray<readonly [RegExp, string]> = [
      [/^(id|veteranId|providerId|documentId|challengeId|supersedes|supersededBy)$/, "uuid"],
      [/^(\w+At)$/, "date-time"],
      [/^(dateOfBirth|dateFrom|dateTo|occurredOn)$/, "date"],
      [/^(recipientEmail)$/, "email"]
    ]
    const properties = schemas(document).filter(({ name }) => name === "properties").flatMap(({ schema }) =>
      Object.entries<any>(schema)
    )
    for (const [pattern, format] of formats) {
      // The ids of FHIR resources have a pattern instead of a format, and those of credentials are bytes.
      const found = properties.filter(([name, schema]) =>
        pattern.test(name) && schema.pattern === undefined && schema.description !== "base64url without padding"
      )
      assert.isNotEmpty(found)
      for (const [name, schema] of found) assert.strictEqual(notNull(schema).format, format, name)
    }
    assert.strictEqual(document.components.schemas.Veteran.properties.email.format, "email")
  })

  test("describes the page size as an integer, and the veteran's id as `me` or a UUID", () => {
    const { parameters } = operationOf("GET /api/veteran/{veteranId}/documents")
    const schemaOf = (name: string) => parameters.find((parameter: any) => parameter.name === name).schema
    assert.deepStrictEqual(schemaOf("limit"), { type: "integer", minimum: 1, maximum: 200, default: 50 })
    assert.deepInclude(schemaOf("cursor"), { type: "string", maxLength: 1024 })
    assert.deepStrictEqual(schemaOf("veteranId").anyOf, [
      { type: "string", enum: ["me"] },
      { type: "string", format: "uuid" }
    ])
  })

  test("describes an uploaded file as binary", () => {
    const { content } = operationOf("POST /api/veteran/{veteranId}/documents").requestBody
    assert.deepStrictEqual(content["multipart/form-data"].schema.properties.file, {
      type: "string",
      format: "binary",
      contentMediaType: "application/octet-stream"
    })
  })

  test("describes FHIR responses as objects, and the items of each array", () => {
    const answers = operations.flatMap(({ operation }) => Object.values<any>(operation.responses))
      .flatMap(({ content }) =>
        content?.["application/fhir+json"]?.schema.$ref ?? content?.["application/fhir+json"] ?? []
      )
    assert.sameMembers(
      [...new Set(answers)],
      ["Bundle", "CapabilityStatement", "OperationOutcome", "Resource"].map((name) => `#/components/schemas/${name}`)
    )
    for (const reference of new Set<string>(answers)) {
      assert.strictEqual(document.components.schemas[reference.split("/").at(-1)!].type, "object", reference)
    }
    for (const { name, schema } of schemas(document)) {
      if (schema.type === "array") assert.property(schema, "items", name)
    }
  })

  test("allows several values only for check boxes and for the search parameters that FHIR lets repeat", () => {
    const fields = operations.flatMap(({ name, operation }) => {
      const { encoding, schema } = operation.requestBody?.content["application/x-www-form-urlencoded"] ?? {}
      const { properties = {} } = document.components.schemas[schema?.$ref?.split("/").at(-1)] ?? schema ?? {}
      return Object.entries<any>(properties).map(([field, { anyOf, type }]) => ({
        field: `${name} ${field}`,
        type: anyOf?.map(({ type }: any) => type) ?? type,
        encoding: encoding?.[field]
      }))
    })
    const boxes = ["type", "category"].map((field) => ({
      field: `POST /api/oauth/authorize/decision ${field}`,
      type: "array",
      encoding: { style: "form", explode: true }
    }))
    const repeated = [
      ...["_id", "_lastUpdated", "_include", "_revinclude", "patient", "subject", "category", "code", "date", "status"]
        .map((field) => `POST /api/fhir/R4/{resourceType}/_search ${field}`),
      "POST /api/fhir/R4/Patient/{id}/$everything _type"
    ].map((field) => ({ field, type: ["string", "array"], encoding: undefined }))
    assert.sameDeepMembers(fields.filter(({ type }) => type !== "string"), [...boxes, ...repeated])
    assert.isAbove(fields.length, 40)
  })

  test("lets Prism detect a body, status, security or parameter that does not match the document", async () => {
    const judge = await prismJudge(document)
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const json = { "content-type": "application/fhir+json" }
    const bundle = Buffer.from(JSON.stringify({ resourceType: "Bundle", type: "searchset" }))
    const search = {
      method: "POST",
      url: "/api/fhir/R4/Observation/_search",
      sent: { headers: { ...form, authorization: "Bearer x" }, body: Buffer.from("code=a&_count=10") },
      answered: { status: 200, headers: json, body: bundle }
    }
    const told = (changes: object) => judge({ ...search, ...changes })
    assert.deepStrictEqual(await told({}), [])
    const at = `POST ${search.url}`
    assert.deepStrictEqual(await told({ answered: { ...search.answered, body: Buffer.from("{}") } }), [
      `${at} 200: Response body must have required property 'resourceType'`,
      `${at} 200: Response body must have required property 'type'`
    ])
    assert.match((await told({ answered: { ...search.answered, status: 299 } })).join(), /returned status code/)
    assert.match((await told({ sent: { headers: form, body: search.sent.body } })).join(), /200: Invalid security/)
    const ask = {
      method: "GET",
      url: "/api/oauth/authorize?state=a&state=b",
      sent: { headers: {}, body: Buffer.alloc(0) }
    }
    assert.match(
      (await judge({ ...ask, answered: { status: 200, headers: { "content-type": "text/html" }, body: bundle } }))
        .join(),
      /state must be string/
    )
  })

  test("promises a request id with every error, and the seconds to wait with 429 and 503", () => {
    const errors = Object.entries<any>(document.components.schemas).filter(([, { properties }]) =>
      // The errors of OAuth have another form, with `error_description`, so they are left out.
      properties?.error && !properties.error_description
    )
    assert.isAbove(errors.length, 20)
    for (const [name, { required }] of errors) assert.includeMembers(required, ["error", "message", "requestId"], name)
    for (const { name, operation } of operations) {
      for (const [status, { headers }] of Object.entries<any>(operation.responses)) {
        const waits = status === "429" || status === "503"
        assert.strictEqual(headers?.["retry-after"]?.schema.type, waits ? "integer" : undefined, `${name} ${status}`)
      }
    }
  })

  test("lists errors about bodies only for operations that take a body", () => {
    for (const { name, operation } of operations) {
      const takesBody = operation.requestBody !== undefined
      const [group] = operation.operationId.split(".")
      const refusal = ofStandards[operation.operationId] ?? ofStandards[group] ?? "InvalidRequest"
      assert.strictEqual(operation.responses["413"] !== undefined, takesBody, name)
      assert.strictEqual(operation.responses["415"] !== undefined, takesBody, name)
      assert.strictEqual(refusals(operation, "400").includes("InvalidJson"), takesBody && !(group in ofStandards), name)
      assert.include(JSON.stringify(operation.responses["400"].content), refusal, name)
    }
  })

  test("states a minimum for each integer, and repeats no schema in an anyOf", () => {
    for (const { name, schema } of schemas(document)) {
      if (schema.type === "integer") assert.isAtLeast(schema.minimum, 0, name)
      if (!Array.isArray(schema.anyOf)) continue
      assert.strictEqual(new Set(schema.anyOf.map((one: any) => JSON.stringify(one))).size, schema.anyOf.length, name)
    }
  })

  test("distinguishes null from an optional member, as the service does", () => {
    const { NewSelfReportedEntry, AuthorizationRequest } = document.components.schemas
    assert.deepStrictEqual(AuthorizationRequest.properties.incompleteRecordConfirmed, { type: "boolean" })
    assert.deepStrictEqual(NewSelfReportedEntry.properties.occurredOn, {
      anyOf: [{ type: "string", format: "date" }, { type: "null" }]
    })
  })

  test("names schemas as the contract does, and describes maps in a form that code generators read", () => {
    const names = Object.keys(document.components.schemas)
    assert.includeMembers(names, ["NotFound", "DocumentPage", "HealthRecordItem", "HealthRecordPage", "Manifest"])
    assert.isFalse(names.some((name) => /Encoded|_\d|undefined/.test(name)))
    assert.isFalse(schemas(document).some(({ name }) => name === "patternProperties"))
  })
})
