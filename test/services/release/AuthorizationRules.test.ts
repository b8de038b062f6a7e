import { it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { assert, describe, test } from "vitest"
import { AuthorizationRequest } from "../../../src/domain/Release.ts"
import { endOf, lint, namedIds, rules } from "../../../src/services/release/AuthorizationRules.ts"
import { canonical, isLawful } from "../../../src/services/release/SignedAuthorization.ts"
import { authorizationOf, signedAt } from "../pdf/Pdf.ts"

import { changed, citations, earlier, facts, issuesOf, upload, type Whole, whole } from "./AuthorizationRequests.ts"

/** Each row has a change of a valid request, the rule that refuses it, and the rule's message. */
const refused: ReadonlyArray<readonly [path: string, value: unknown, rule: string, message: string, at?: string]> = [
  ["information", undefined, citations.what, "Missing key"],
  ["information.resourceTypes", undefined, citations.what, "Missing key"],
  ["information.resourceTypes", [], citations.what, "Expected a value with a length of at least 1"],
  ["information.resourceTypes.0", "condition", citations.what, "Expected a FHIR resource type"],
  ["information.resourceTypes.1", "Condition", citations.what, "Expected an array with unique items"],
  ["information.dateFrom", "2020-01-02", citations.what, "Expected a range that does not end before it begins",
    "information.dateTo"],
  ["information.dateTo", "2020-02-30", citations.what, "Expected a calendar date (YYYY-MM-DD)"],
  ["information.documentIds.0", earlier, citations.what, "Expected a document that you uploaded"],
  ["information.documentIds.0", "x", citations.what, "Expected a UUID"],
  ["disclosingParty", undefined, citations.from, "Missing key"],
  ["disclosingParty.name", undefined, citations.from, "Missing key"],
  ["disclosingParty.name", " ", citations.from, "Expected text that is not blank"],
  ["recipient", undefined, citations.to, "Missing key"],
  ["recipient.name", undefined, citations.to, "Missing key"],
  ["recipient.name", "", citations.to, "Expected text that is not blank"],
  ["recipient.email", undefined, citations.to, "Missing key"],
  ["recipient.email", "gray@", citations.to, "Expected an e-mail address"],
  ["recipient.email", "gray@clinic.example\r\nbcc: x@y.example", citations.to, "Expected an e-mail address"],
  ["recipient.npi", "1234567890", citations.to, "Expected a valid NPI (10 digits)"],
  ["recipient.phone", "1", citations.to, "Expected no excess property"],
  ["purpose", undefined, citations.why, "Missing key"],
  ["purpose.code", undefined, citations.why, "Missing key"],
  ["purpose.text", undefined, citations.why, "Expected text for the purpose 'other'"],
  ["purpose.text", null, citations.why, "Expected text for the purpose 'other'"],
  ["purpose.text", "  ", citations.why, "Expected text that is not blank"],
  ["expiration", undefined, citations.until, "Missing key"],
  ["expiration", {}, citations.until, "Expected either a date or an event"],
  ["expiration.event", "The claim is decided", citations.until, "Expected either a date or an event", "expiration"],
  ["expiration.date", "2026-11-20", citations.until, "Expected a date that is not past"],
  ["expiration.date", "2027-11-22", citations.until, "Expected a date within 12 months"],
  ["statementsVersion", undefined, citations.statements, "Missing key"],
  ["statementsVersion", "roi-statements/2026-10", citations.statements, "Expected \"roi-statements/2026-11\""],
  ["statementsAccepted", undefined, citations.statements, "Missing key"],
  ["statementsAccepted", false, citations.statements, "Expected true"],
  ["sensitiveCategories.1", { category: "hiv", acceptedAt: "2026-11-21T11:00:00Z" }, citations.protected,
    "Expected each category once", "sensitiveCategories.1.category"],
  ["sensitiveCategories.0.acceptedAt", "today", citations.protected, "Expected an ISO-8601 instant in UTC"],
  ["sensitiveCategories.0.acceptedAt", "1900-01-01T00:00:00Z", citations.protected,
    "Expected an instant within the last day"],
  ["sensitiveCategories.0.acceptedAt", "2026-11-20T11:59:59Z", citations.protected,
    "Expected an instant within the last day"],
  ["sensitiveCategories.0.acceptedAt", "2026-11-21T12:01:01Z", citations.protected,
    "Expected an instant that is not in the future"],
  ["sensitiveCategories.0.acceptedAt", "2999-01-01T00:00:00Z", citations.protected,
    "Expected an instant that is not in the future"],
  ["recipient.email", "gray@clinic", citations.to, "Expected an e-mail address"],
  ["recipient.email", "..@1", citations.to, "Expected an e-mail address"],
  ["veteran", undefined, citations.header, "Missing key"],
  ["veteran.fullName", " ", citations.header, "Expected text that is not blank"],
  ["veteran.dateOfBirth", undefined, citations.header, "Missing key"],
  ["veteran.dateOfBirth", "2026-11-22", citations.header, "Expected a date that is not in the future"],
  ["signature", undefined, citations.signature, "Missing key"],
  ["signature.typedName", undefined, citations.signature, "Missing key"],
  ["signature.typedName", "Jose Guzman", citations.signature,
    "Expected the veteran's full name, or 'nameDiffers': true"],
  ["signature.consentToElectronicSignature", false, citations.signature, "Expected true"],
  ["signature.consentToElectronicSignature", undefined, citations.signature, "Missing key"],
  ["signature.signerRole", undefined, citations.signature, "Missing key"],
  ["signature.authority", undefined, citations.signature, "Expected the authority by which a representative signs"],
  ["signature.drawnPng", "AAAA", citations.signature, "Expected a PNG picture"],
  ["signature.drawnPng", "not base64", citations.signature, "Expected base64"],
  ["signature.drawnPng", "", citations.signature, "Expected base64"],
  ["signature.drawnPng", "王", citations.signature, "Expected base64"],
  [
    "incompleteRecordConfirmed",
    "yes",
    "interface specification, States and transitions",
    "Expected boolean | undefined"
  ],
  ["supersedes", upload, "45 CFR 164.508(b)(5)", "Expected a release of yours that is in force"]
]

describe("lint", () => {
  test("reports nothing for a valid request, with all optional elements or none", () => {
    assert.deepStrictEqual(issuesOf(whole()), [])
    for (
      const optional of ["information.dateFrom", "information.dateTo", "information.documentIds",
        "recipient.organization", "recipient.title", "recipient.npi", "sensitiveCategories", "signature.nameDiffers",
        "signature.drawnPng", "incompleteRecordConfirmed", "supersedes"]
    ) {
      assert.deepStrictEqual(issuesOf(changed(optional)), [], optional)
    }
    for (const optional of ["dateFrom", "dateTo"]) {
      assert.deepStrictEqual(issuesOf(changed(`information.${optional}`, null)), [])
    }
  })

  test.each(refused)(
    "refuses %s as %j by the rule %s: %s",
    (...row) => {
      const [path, value, rule, message, at = path] = row as unknown as typeof refused[number]
      assert.deepStrictEqual(issuesOf(changed(path, value)), [[
        at.replace(/(?<=resourceTypes)\.1$/, ""),
        `${rule}: ${message}`
      ]])
    }
  )

  test("has a rule for every element of a request, and a refused value for each in the table above", () => {
    const covered = new Set(refused.map(([path]) => path.split(".")[0]))
    assert.deepStrictEqual([...covered].sort(), Object.keys(rules).sort())
    assert.deepStrictEqual(Object.keys(rules).sort(), Object.keys(AuthorizationRequest.fields).sort())
  })

  test("names every problem at once", () => {
    const found = issuesOf({ extra: 1 })
    const required = Object.keys(whole()).filter((key) =>
      !["sensitiveCategories", "incompleteRecordConfirmed", "supersedes"].includes(key)
    )
    assert.sameMembers(found.map(([path]) => path!), ["extra", ...required])
    const wrong = { ...changed("recipient.email", "x"), expiration: { date: "2020-01-01" } }
    assert.deepStrictEqual(issuesOf(wrong).map(([path]) => path), ["recipient.email", "expiration.date"])
    assert.deepStrictEqual(issuesOf({ ...whole(), toString: 1 }), [["toString", "Expected no excess property"]])
    assert.deepStrictEqual(issuesOf([]), [["", "Expected an object"]])
    assert.deepStrictEqual(issuesOf(null), [["", "Expected an object"]])
  })

  test("never repeats a request's values in its messages", () => {
    const secret = "Xyzzy-Plugh"
    for (const path of ["purpose.code", "recipient.email", "information.dateFrom", "signature.signerRole"]) {
      assert.notInclude(JSON.stringify(issuesOf(changed(path, secret))), secret)
    }
  })

  test("accepts an expiration date from today to 12 months from today, and a birth date of today", () => {
    for (const date of ["2026-11-21", "2027-11-21"]) {
      assert.deepStrictEqual(issuesOf(changed("expiration.date", date)), [])
    }
    const leap = { ...facts, now: new Date("2028-02-29T00:00:00Z"), signedAt: facts.now }
    assert.deepStrictEqual(issuesOf(changed("expiration.date", "2029-02-28"), leap), [])
    assert.deepStrictEqual(issuesOf(changed("expiration.date", "2029-03-01"), leap), [
      ["expiration.date", `${citations.until}: Expected a date within 12 months`]
    ])
    assert.deepStrictEqual(issuesOf(changed("veteran.dateOfBirth", "2026-11-21")), [])
  })

  test("accepts a category whose acceptedAt is within a day before the signing, or up to a minute after it", () => {
    for (const acceptedAt of ["2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z", "2026-11-21T12:01:00Z"]) {
      assert.deepStrictEqual(issuesOf(changed("sensitiveCategories.0.acceptedAt", acceptedAt)), [])
    }
    const later = { ...facts, now: new Date("2026-12-30T00:00:00Z"), signedAt: facts.now }
    assert.deepStrictEqual(issuesOf(whole(), later), [], "it goes by the moment of signing")
  })

  test("refuses a text without a visible character, in each place that has a text", () => {
    const places: ReadonlyArray<readonly [path: string, rule: string]> = [
      ["veteran.fullName", citations.header],
      ["disclosingParty.name", citations.from],
      ["recipient.name", citations.to],
      ["purpose.text", citations.why],
      ["signature.typedName", citations.signature],
      ["signature.authority", citations.signature]
    ]
    for (const text of ["\u034f", "\ufe00", " \u0301", "\u034f \ufe00", "\u3164", "\u115f\u1160", "\uffa0", "\u2800"]) {
      for (const [path, rule] of places) {
        const messages = issuesOf(changed(path, text)).map(([at, message]) => `${at} ${message}`)
        assert.include(messages, `${path} ${rule}: Expected text that is not blank`)
      }
    }
  })

  test("refuses a request that has expired since it was signed", () => {
    const later = { ...facts, now: new Date("2027-01-01T00:00:00Z"), signedAt: facts.now }
    assert.deepStrictEqual(issuesOf(whole(), later), [
      ["expiration.date", `${citations.until}: Expected a date that is not past`]
    ])
  })

  test("accepts every name of one line", () => {
    for (
      const name of ["O'Hara", "Guzmán", "Nguyễn Văn Ả", "Łukasz Żółć", "Ελένη", "Олександр", ")\\(", "<b>x</b>", "דוד",
        "محمد", "王", "अमर", "Ann \u202eee", "Gr\u034fay", "😀", "x".repeat(10_000),
        ..."Nguyễn".normalize("NFD").split("|")]
    ) {
      const named: Whole = whole()
      named.veteran.fullName = named.signature.typedName = named.recipient.name = name
      assert.deepStrictEqual(issuesOf(named), [], name)
    }
    for (
      const [name, message] of [
        ["a\nb", "Expected one line of text"],
        ["a\0b", "Expected text without NUL and lone surrogates"],
        ["a\ud800", "Expected text without NUL and lone surrogates"],
        ["x".repeat(10_001), "Expected a value with a length of at most 10000"]
      ]
    ) {
      assert.deepStrictEqual(issuesOf(changed("recipient.name", name))[0], [
        "recipient.name",
        `${citations.to}: ${message}`
      ])
    }
    assert.deepStrictEqual(issuesOf(changed("purpose.text", "two\nlines\tand a tab")), [])
  })

  test("treats a name in another Unicode form or with other spaces as the same name", () => {
    assert.deepStrictEqual(issuesOf(changed("signature.typedName", ` José  ${"Guzmán".normalize("NFD")}`)), [])
    assert.deepStrictEqual(
      issuesOf({
        ...whole(),
        signature: { ...whole().signature, typedName: "Maria Guzmán", nameDiffers: true }
      }),
      []
    )
  })

  it.effect.prop("never throws", { request: Schema.Json }, ({ request }) =>
    Effect.sync(() => {
      assert.isTrue(Result.isResult(lint(request, facts)))
      assert.isArray(namedIds(request).documents)
    }))
})

test("A signed release stays lawful when its veteran's acceptance of a category is more than a day old", () => {
  const acceptedAt = new Date(Date.parse(signedAt) - 60_000)
  const { json } = canonical(authorizationOf({ sensitiveCategories: [{ category: "hiv", acceptedAt }] }))
  assert.isTrue(isLawful(json, new Date("2027-05-31T00:00:00Z")))
  assert.isFalse(isLawful(json, new Date("2027-06-01T00:00:00Z")))
})

describe("endOf", () => {
  test("is the end of the expiration date, or 12 months after the signing if an event ends the release", () => {
    assert.strictEqual(endOf({ date: "2026-12-31" }, facts.now).toISOString(), "2027-01-01T00:00:00.000Z")
    assert.strictEqual(endOf({ event: "x" }, facts.now).toISOString(), "2027-11-21T12:00:00.000Z")
  })
})
