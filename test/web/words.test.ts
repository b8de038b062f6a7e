import { OpenApi } from "effect/http-api"
import { assert, test } from "vitest"
import { Api } from "../../src/http/Api.ts"
import { Problem } from "../../web/shared/Problem.ts"
import { problemWords, waitOf } from "../../web/shared/Words.ts"

/** The contract's groups of routes that the pages call. */
const called = [
  "googleExchange",
  "linkRecipient",
  "patients",
  "providerLogin",
  "providerResumption",
  "providerSession",
  "releaseVerification"
]

/** Every error code that a page may get: those that the called routes declare, and four that any request may get. */
const codes = () => {
  const { components, paths } = OpenApi.fromApi(Api)
  const operations =
    (Object.values(paths).flatMap((path) => Object.values(path)) as Array<OpenApi.OpenAPISpecOperation>).filter((
      { operationId }
    ) => called.includes(operationId.split(".")[0]!))
  assert.deepStrictEqual([...new Set(operations.map(({ operationId }) => operationId.split(".")[0]!))].sort(), called)
  const schemas = JSON.stringify(operations.map(({ responses }) => responses)).matchAll(
    /#\/components\/schemas\/(\w+)/g
  )
  const found = [...schemas].flatMap(([, name]) => {
    const { enum: values } = (components.schemas[name!] as any).properties?.error ?? {}
    return Array.isArray(values) ? values as Array<string> : []
  })
  return [...new Set([...found, "method_not_allowed", "not_found", "internal_error", "unreachable"])].sort()
}

const unknown = problemWords(Problem.make({ error: "a code that no contract has" }))

/** Only operators can act on these codes, so the pages say the same about them as about an unknown code. */
const alike = ["service_unavailable", "unreachable"]

test("Every code that a page can meet has its own words, unless only operators can act on it", () => {
  const all = codes()
  assert.includeMembers(all, [
    "conflict",
    "consent_required",
    "forbidden",
    "google_code_invalid",
    "invalid_credentials",
    "invalid_json",
    "invalid_request",
    "link_disabled",
    "link_expired",
    "link_not_found",
    "otp_invalid",
    "payload_too_large",
    "provider_disabled",
    "rate_limited",
    "request_timeout",
    "service_unavailable",
    "unauthenticated",
    "unsupported_media_type",
    "view_session_expired",
    "view_session_used"
  ])
  for (const error of all) {
    const { text, title } = problemWords(Problem.make({ error }))
    const own = title !== unknown.title
    assert.strictEqual(own, !alike.includes(error), error)
    assert.notMatch(`${title} ${text}`, /undefined|error|_/i)
    for (const sentence of text.split(/[.?!]/)) assert.isBelow(sentence.split(" ").length, 20, sentence)
  }
  assert.notStrictEqual(problemWords(Problem.make({ error: "toString" })).text, undefined)
})

test("What a day does not take once more says how many hours to wait, and offers no button to try again", () => {
  assert.deepStrictEqual(problemWords(Problem.make({ error: "rate_limited", retryAfterSeconds: 17_000 })), {
    title: "Too many tries",
    text: "This was done too often. Wait 5 hours, then try again.",
    again: false
  })
  assert.isTrue(problemWords(Problem.make({ error: "rate_limited", retryAfterSeconds: 3_600 })).again)
})

test("Words include the waiting time, the tries left, and the number for support", () => {
  const text = (problem: Parameters<typeof Problem.make>[0]) => problemWords(Problem.make(problem)).text
  assert.include(text({ error: "rate_limited", retryAfterSeconds: 661 }), "Wait 12 minutes,")
  assert.strictEqual(text({ error: "otp_invalid", attemptsLeft: 4 }), "You have 4 tries left.")
  assert.strictEqual(text({ error: "otp_invalid", attemptsLeft: 1 }), "You have 1 try left.")
  assert.strictEqual(text({ error: "otp_invalid", attemptsLeft: 0 }), "That code no longer works. Send a new one.")
  assert.include(text({ error: "internal_error", requestId: "0198-request" }), "tell support this number: 0198-request")
  assert.deepStrictEqual([0, 1, 90, 91, 900, 5_400, 7_201].map(waitOf), [
    "1 second",
    "1 second",
    "90 seconds",
    "2 minutes",
    "15 minutes",
    "90 minutes",
    "3 hours"
  ])
})
