import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { InvalidJson, InvalidRequest, PayloadTooLarge } from "../../../src/domain/Errors.ts"
import { parse, readResources } from "../../../src/services/record/SyncRequest.ts"

const condition = (id: string, more = "") => `{"resourceType":"Condition","id":"${id}"${more}}`

const nothingKnown = () => undefined

/** Returns the type, FHIR id and exact text of each resource in a body, and the error if the body is refused. */
const read = (body: string | Uint8Array) => {
  const bytes = Buffer.from(body)
  const taken: Array<readonly [type: string, id: string, text: string]> = []
  try {
    for (const { fresh } of readResources(parse(bytes), nothingKnown)) {
      for (const { end, fhirId, resourceType, start } of fresh) {
        taken.push([resourceType, fhirId, bytes.subarray(start, end).toString()])
      }
    }
  } catch (error) {
    const isRefusal = [InvalidJson, InvalidRequest, PayloadTooLarge].some((kind) => error instanceof kind)
    if (isRefusal) return { taken, error: error as InvalidJson | InvalidRequest | PayloadTooLarge }
    throw error
  }
  return { taken }
}

const refusal = (body: string | Uint8Array) => {
  const { error } = read(body)
  if (error === undefined) return "taken"
  return "issues" in error
    ? error.issues.map(({ message, path }) => `${path.join("/")}: ${message}`).join("; ")
    : error.error
}

const withConditions = (...texts: ReadonlyArray<string>) =>
  `{"fhirResourceFetchStatuses":{"Condition":"complete"},"resources":{"Condition":[${texts.join(",")}]}}`

describe("The resources of a request", () => {
  it.effect("are read as their exact text, with any content around and inside them", () =>
    Effect.gen(function*() {
      const texts = [
        condition("1", ",\"valueDecimal\":1.00,\"other\":-1.000000000000000000E+245"),
        `{ "id" :\t"2",\n\r "resourceType": "Condition" , "a":[ ] , "b": { } }`,
        condition("3", ",\"text\":\"\\u00e9 \\\\ \\\" ]}[{ , \\/ é 😀\""),
        condition("4", ",\"a\":1,\"a\":2,\"resources\":{\"Condition\":[{\"id\":\"9\"}]}")
      ]
      for (const space of ["", " ", "\n\t\r "]) {
        const body = `${space}{${space}"resources"${space}:${space}{${space}"Condition"${space}:${space}[${space}` +
          `${texts.join(`${space},${space}`)}${space}]${space}}${space},${space}` +
          `"fhirResourceFetchStatuses":{"Condition":"complete"}}${space}`
        const { taken } = read(body)
        assert.deepStrictEqual(taken, texts.map((text, index) => ["Condition", `${index + 1}`, text]))
      }
    }))

  it.effect("are found if a member's name is written with escapes", () =>
    Effect.gen(function*() {
      const body = withConditions(condition("1")).replace("\"resources\"", "\"res\\u006furces\"")
      assert.deepStrictEqual((read(body)).taken, [["Condition", "1", condition("1")]])
      assert.match(
        refusal(withConditions("5").replace("\"resources\"", "\"\\u0072esources\"")),
        /Expected a FHIR resource/
      )
    }))

  it.effect("are refused if a parser would make millions of objects of them", () =>
    Effect.gen(function*() {
      const tooMany = "resources: Expected at most 500000 values in each element, and around them"
      const values = (count: number) => `[${Array.from({ length: count }, () => "{}").join(",")}]`
      assert.strictEqual(refusal(withConditions(condition("1", `,"a":${values(249_900)}`))), "taken")
      assert.strictEqual(refusal(withConditions(condition("1", `,"a":${values(250_100)}`))), tooMany)
      assert.strictEqual(refusal(withConditions("1,".repeat(100_000) + "1")), "payload_too_large")
      assert.match(refusal(withConditions("1,".repeat(99_999) + "1")), /Expected a FHIR resource/)
      assert.strictEqual(refusal(`{"a":${values(250_100)}}`), tooMany)
    }))

  it.effect("report how many of their codings have an unknown system", () =>
    Effect.gen(function*() {
      const coding = (system: string) => `{"system":"${system}","code":"1"}`
      const more = `,"code":{"coding":[${["http://loinc.org", "http://example.org/a", "local"].map(coding)}]}`
      const request = parse(Buffer.from(withConditions(condition("1", more), condition("2"))))
      const [batch] = [...readResources(request, nothingKnown)]
      assert.deepStrictEqual(batch!.fresh.map(({ unknownSystems }) => unknownSystems), [2, 0])
    }))

  it.effect.prop(
    "are read as their exact text for any JSON in them",
    { values: Schema.Array(Schema.Json) },
    ({ values }) =>
      Effect.gen(function*() {
        // The tests below cover NUL and lone surrogates, which are refused.
        const texts = values.filter((value) => !/\\u(0000|d[89a-f])/.test(JSON.stringify(value))).map((value, index) =>
          condition(`${index}`, `,"a":${JSON.stringify(value, null, index % 3)}`)
        )
        const { taken } = read(withConditions(...texts))
        assert.deepStrictEqual(taken.map(([, , text]) => text), texts)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect("are not parsed or stored again if the same bytes are already stored", () =>
    Effect.gen(function*() {
      const bytes = Buffer.from(withConditions(condition("1"), condition("2")))
      const known = { fhirId: "1" }
      const batches = [...readResources(
        parse(bytes),
        (_, index) => index === 0 ? known : undefined
      )]
      assert.deepStrictEqual(batches.flatMap(({ sent }) => sent), [
        { resourceType: "Condition", fhirId: "1", known, index: 0 },
        { resourceType: "Condition", fhirId: "2", known: undefined, index: 1 }
      ])
      assert.deepStrictEqual(batches.flatMap(({ fresh }) => fresh.map(({ fhirId }) => fhirId)), ["2"])
    }))

  it.effect("are stored in batches while the rest is read, until the first invalid resource", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 1000 }, (_, n) => condition(`c-${n}`))
      const sizes = [...readResources(parse(Buffer.from(withConditions(...many))), nothingKnown)].map(({ fresh }) =>
        fresh.length
      )
      assert.isAbove(sizes.length, 1)
      assert.strictEqual(sizes.reduce((sum, size) => sum + size), 1000)
      assert.deepStrictEqual(read(withConditions("null", ...many)).taken, [])
    }))
})

const digest = "0123456789abcdef".repeat(4)

const notDigest = /^unchanged\/Condition: Expected a SHA-256 in lower-case hex$/

const withDigest = (text: string, more = "") =>
  `{"fhirResourceFetchStatuses":{"Condition":"complete"},"unchanged":{"Condition":"${text}"}${more}}`

describe("A request", () => {
  const cases: ReadonlyArray<readonly [why: string, body: string | Uint8Array, refusal: RegExp]> = [
    [
      "for resources of a type without a fetch status",
      "{\"fhirResourceFetchStatuses\":{},\"resources\":{\"Condition\":[]}}",
      /^resources\/Condition: Expected only types named/
    ],
    [
      "for a resource whose type differs from its key",
      withConditions("{\"resourceType\":\"Procedure\",\"id\":\"1\"}"),
      /^resources\/Condition\/0: Expected the resourceType/
    ],
    [
      "for a resource without id",
      withConditions("{\"resourceType\":\"Condition\"}"),
      /^resources\/Condition\/0: Expected a FHIR id/
    ],
    ["for an id of 65 characters", withConditions(condition("a".repeat(65))), /Expected a FHIR id/],
    ["for an id with a slash", withConditions(condition("a/b")), /Expected a FHIR id/],
    ["for an id that is a number", withConditions("{\"resourceType\":\"Condition\",\"id\":1}"), /Expected a FHIR id/],
    [
      "for an id that occurs twice",
      withConditions(condition("1"), condition("2"), condition("1", ",\"a\":1")),
      /^resources\/Condition\/2: Expected an id that is unique/
    ],
    ["for a resource that is an array", withConditions("[]"), /^resources\/Condition\/0: Expected a FHIR resource/],
    [
      "for a list of resources that is not an array",
      "{\"fhirResourceFetchStatuses\":{\"Condition\":\"complete\"},\"resources\":{\"Condition\":{\"0\":[]}}}",
      /^resources\/Condition: Expected array/
    ],
    ["for an unknown member", "{\"fhirResourceFetchStatuses\":{},\"more\":1}", /^more: /],
    [
      "for an unknown status",
      "{\"fhirResourceFetchStatuses\":{\"Condition\":\"stale\"}}",
      /^fhirResourceFetchStatuses\/Condition: /
    ],
    [
      "for a type that is not the name of a FHIR type",
      "{\"fhirResourceFetchStatuses\":{\"../x\":\"complete\"}}",
      /^fhirResourceFetchStatuses\/\.\.\/x: /
    ],
    ["for a missing member", "{\"resources\":{}}", /^fhirResourceFetchStatuses: /],
    ["for a body that is no object", "[]", /^: Expected/],
    ...(["empty", "unavailable"] as const).map((status) =>
      [
        `for resources with the status ${status}`,
        withConditions(condition("1")).replace("complete", status),
        new RegExp(`^resources/Condition: Expected no resources with the status '${status}'$`)
      ] as const
    ),
    ...(["empty", "partial", "unavailable"] as const).map((status) =>
      [
        `for a digest of a type with the status ${status}`,
        withDigest(digest).replace("complete", status),
        /^unchanged\/Condition: Expected only types with the status 'complete'$/
      ] as const
    ),
    [
      "for a digest of a type that is not named",
      `{"fhirResourceFetchStatuses":{},"unchanged":{"Condition":"${digest}"},"resources":{}}`,
      /^unchanged\/Condition: Expected only types named in fhirResourceFetchStatuses$/
    ],
    [
      "for a digest of a type that also has a list in resources, even an empty one",
      withDigest(digest, ",\"resources\":{\"Condition\":[]}"),
      /^unchanged\/Condition: Expected no type that stands in resources too$/
    ],
    ...[digest.toUpperCase(), digest.slice(1), `${digest}0`, "x".repeat(100_000), ""].map((text, index) =>
      [`for an invalid digest (${index})`, withDigest(text), notDigest] as const
    ),
    // JSON.parse keeps only the last of two members with the same name.
    ["for two digests of one type, the last of which is invalid", withDigest(`${digest}","Condition":"x`), notDigest],
    [
      "for a list of resources that occurs twice",
      "{\"fhirResourceFetchStatuses\":{\"Condition\":\"complete\"},\"resources\":{\"Condition\":[{\"resourceType\":\"Condition\",\"id\":\"1\"}],\"Condition\":[]}}",
      /^resources: Expected each member once/
    ],
    [
      "for a NUL in a resource's text",
      withConditions(condition("1", ",\"a\":\"\\u0000\"")),
      /Expected text without NUL/
    ],
    [
      "for a lone surrogate in a member's name",
      withConditions(condition("1", ",\"\\ud800\":1")),
      /Expected text without NUL and lone surrogates/
    ],
    [
      "for nesting deeper than 64",
      withConditions(condition("1", `,"a":${"[".repeat(61)}${"]".repeat(61)}`)),
      /Expected at most 64 levels/
    ]
  ]
  for (const [why, body, expected] of cases) {
    it.effect(`is refused ${why}`, () => Effect.sync(() => assert.match(refusal(body), expected)))
  }

  it.effect("is not refused if text after an escaped backslash looks like an escape", () =>
    Effect.gen(function*() {
      assert.strictEqual(refusal(withConditions(condition("1", ",\"a\":\"\\\\u0000 \\ud83d\\ude00\""))), "taken")
    }))

  it.effect("is refused with at most 50 issues", () =>
    Effect.gen(function*() {
      const found = refusal(withConditions(...Array.from({ length: 80 }, () => "1")))
      assert.lengthOf(found.split("; "), 50)
      const unchanged = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`T${"a".repeat(n + 1)}`, digest]))
      const unnamed = refusal(JSON.stringify({ fhirResourceFetchStatuses: {}, unchanged }))
      assert.lengthOf(unnamed.split("; "), 50)
    }))
})

describe("A body that is not JSON", () => {
  const one = condition("1")
  const bodies: ReadonlyArray<string | Uint8Array> = [
    "",
    "{",
    "[",
    withConditions(one, ""),
    withConditions("", one),
    withConditions(one, "", one),
    withConditions(`${one}${one}`),
    withConditions(`${one}:${one}`),
    withConditions(one).replace("]}}", "}]}"),
    withConditions(one).replace("]}}", "]}"),
    withConditions(one).replace("]}}", "]}}}"),
    withConditions(one).replace("]}}", ""),
    withConditions(one).replace("[", "[}"),
    withConditions("{\"resourceType\":\"Condition\",\"id\":\"1\",}"),
    withConditions("{'id':1}"),
    withConditions("1 2"),
    withConditions("01"),
    withConditions("\"a\tb\""),
    withConditions("tru"),
    `\ufeff${withConditions(one)}`,
    Buffer.concat([Buffer.from(withConditions(one).slice(0, -4)), Buffer.from([0xff]), Buffer.from("]}}")]),
    // Malformed JSON is reported before any other error.
    `{"fhirResourceFetchStatuses":{"Condition":"complete"},"more":1,"resources":{"Condition":[{]}}`,
    `{"fhirResourceFetchStatuses":{"Condition":"empty"},"resources":{"Condition":[${one},{"a":}]}}`,
    `{"fhirResourceFetchStatuses":{"Condition":"complete"},"resources":{"Condition":[{"a":}],"Condition":[]}}`
  ]
  for (const [index, body] of bodies.entries()) {
    it.effect(`is refused as invalid_json (${index}): ${body.toString().slice(-40)}`, () =>
      Effect.sync(() => assert.strictEqual(refusal(body), "invalid_json")))
  }
})
