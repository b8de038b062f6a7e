import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"

const { service } = await openApp()

const answer = await call(service, "GET", "/api/openapi.json")

const operations = Object.entries<any>(answer.json.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation }))
)

/** Finds every value under a member of this name, anywhere in the document. */
const all = (value: unknown, member: string): ReadonlyArray<any> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [...(name === member ? [inner] : []), ...all(inner, member)])

describe("The OpenAPI document", () => {
  test("is JSON of OpenAPI 3.1, with a complete info object", () => {
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), "application/json")
    assert.match(answer.json.openapi, /^3\.1\.\d+$/)
    assert.strictEqual(answer.json.info.title, "Veteran Records Sharing Service")
    assert.match(answer.json.info.version, /^\d+\.\d+\.\d+$/)
  })

  // That it lists each route, and no other, is tested with the pages' examples (test/client-author.test.ts and
  // test/app-author.test.ts).
  test("gives every operation a unique id", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.isTrue(ids.every((id) => typeof id === "string" && id !== ""))
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  test("declares exactly the parameters of each path, and each of them as required", () => {
    for (const { name, operation, path } of operations) {
      const inPath = operation.parameters.filter((parameter: any) => parameter.in === "path")
      assert.sameMembers(
        inPath.map((parameter: any) => parameter.name),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, it]) => it!),
        name
      )
      assert.isTrue(inPath.every((parameter: any) => parameter.required === true), name)
      assert.isTrue(operation.parameters.every((parameter: any) => typeof parameter.schema === "object"), name)
    }
  })

  test("describes every answer, and has a successful answer for each operation", () => {
    for (const { name, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      // A browser's navigation and the form of a page succeed with a redirect.
      const redirects = /^(GET \/api\/provider\/google|POST \/api\/oauth\/authorize)\//.test(name)
      const succeeds = redirects ? /^303$/ : /^2\d\d$/
      assert.isTrue(statuses.some((status) => succeeds.test(status)), name)
      assert.isTrue(
        Object.values<any>(operation.responses).every(({ description }) => typeof description === "string"),
        name
      )
    }
  })

  test("lists the errors that every route behind a sign-in may answer", () => {
    for (const { name, operation } of operations.filter(({ operation }) => operation.security?.length > 0)) {
      // The operator's routes have no limit, and the session exchange answers 500 where others answer 503.
      const expected = [
        "400",
        "401",
        ...(name.includes("/admin/") ? [] : ["429"]),
        ...(name.includes("/auth/") ? [] : ["503"])
      ]
      assert.includeMembers(Object.keys(operation.responses), expected, name)
    }
  })

  test("has no broken reference", () => {
    const references = all(answer.json, "$ref")
    assert.isAbove(references.length, 50)
    for (const reference of new Set(references)) {
      const found = reference.slice(2).split("/").reduce(
        (at: any, member: string) => at?.[member.replaceAll("~1", "/")],
        answer.json
      )
      assert.isDefined(found, reference)
    }
    for (const schemes of all(answer.json.paths, "security").flat()) {
      assert.includeMembers(Object.keys(answer.json.components.securitySchemes), Object.keys(schemes))
    }
  })

  test("has an error schema for each error code of the contract", () => {
    const codes = all(answer.json.components.schemas, "error").flatMap((error) => error.enum ?? [])
    assert.includeMembers(codes, ["invalid_json", "invalid_request", "invalid_exchange_secret", "invalid_credentials",
      "unauthenticated", "veteran_mismatch", "consent_required", "forbidden", "veteran_not_found", "not_found",
      "conflict", "payload_too_large", "unsupported_media_type", "rate_limited", "session_exchange_not_configured",
      "service_unavailable", "link_not_found", "link_disabled", "link_expired", "otp_invalid", "view_session_used",
      "view_session_expired", "storage_full"])
  })
})

describe("The documentation page", () => {
  test("is one HTML file that loads no other file, and shows this API", async () => {
    const page = await call(service, "GET", "/api/docs")
    assert.strictEqual(page.status, 200)
    assert.match(page.text, /<html lang="en-US">/)
    assert.match(page.headers.get("content-type")!, /^text\/html/)
    const elements = page.text.replaceAll(/<script>.*?<\/script>/gs, "")
    assert.notMatch(elements, /\b(src|href|action|data)\s*=|<(link|iframe|img|script|base|style)/i)
    // The browser lets the page's script load only from this origin.
    assert.notMatch(page.headers.get("content-security-policy")!, /https?:|\*/)
    assert.include(page.text, "\"/api/veteran/{veteranId}/health-record/sync\"")
  })

  test("has a field for each credential and sends each route only its own", async () => {
    const { text } = await call(service, "GET", "/api/docs")
    // The page has no field for the portal's cookie, because a script cannot send a cookie that a person typed.
    const schemes = Object.keys(answer.json.components.securitySchemes).filter((name) => name !== "portalCookie")
      .map((name) => ({ [name]: [] }))
    assert.lengthOf(schemes, 6)
    assert.include(text, "\"x-scalar-set-operation-security\":true")
    assert.include(text, `"selectedSchemes":${JSON.stringify(schemes)}`)
  })
})
