import { Result } from "effect"
import { PNG } from "pngjs"
import { drawnSignatureOf, type Facts, lint } from "../../../src/services/release/AuthorizationRules.ts"
import { readDrawnSignature } from "../../../src/services/release/DrawnSignature.ts"

export const upload = "01234567-89ab-7def-8123-456789abcdef"

export const earlier = "01234567-89ab-7def-8123-456789abcde0"

export const facts: Facts = {
  now: new Date("2026-11-21T12:00:00Z"),
  uploads: new Set([upload]),
  inForce: new Set([earlier])
}

export const png = PNG.sync.write(new PNG({ width: 3, height: 2 })).toString("base64")

/** A request with every element. */
export const whole = () => ({
  veteran: { fullName: "José Guzmán", dateOfBirth: "1962-03-04" },
  information: {
    resourceTypes: ["Condition", "Observation"],
    dateFrom: "2020-01-01",
    dateTo: "2020-01-01",
    documentIds: [upload]
  },
  disclosingParty: { name: "Veteran Records" },
  recipient: {
    name: "Dr. Gray",
    organization: "Gray Clinic",
    title: "M.D.",
    email: "gray@clinic.example",
    npi: "1234567893"
  },
  purpose: { code: "other", text: "A second opinion" },
  expiration: { date: "2026-12-31" } as Record<string, unknown>,
  statementsVersion: "roi-statements/2026-11",
  statementsAccepted: true,
  sensitiveCategories: [{ category: "hiv", acceptedAt: "2026-11-21T11:00:00Z" }],
  signature: {
    typedName: "José Guzmán",
    consentToElectronicSignature: true,
    signerRole: "representative",
    authority: "Power of attorney",
    nameDiffers: false,
    drawnPng: png
  },
  incompleteRecordConfirmed: true,
  supersedes: earlier
})

export type Whole = ReturnType<typeof whole>

export const issuesOf = (request: unknown, known: Facts = facts) => {
  const drawn = drawnSignatureOf(request)
  const read = drawn === undefined ? undefined : readDrawnSignature(drawn)
  const result = lint(request, { ...known, drawingRefused: typeof read === "string" ? read : undefined })
  return Result.isSuccess(result) ? [] : result.failure.issues.map(({ message, path }) => [path.join("."), message])
}

/** Returns a copy of the whole request with `value` at `path`. Without `value`, removes the member at `path`. */
export const changed = (path: string, value?: unknown): Record<string, unknown> => {
  const copy = structuredClone(whole()) as Record<string, any>
  const keys = path.split(".")
  const last = keys.pop()!
  const at = keys.reduce((inner, key) => inner[key], copy)
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

export const citations = {
  what: "45 CFR 164.508(c)(1)(i), 38 CFR 1.475(a)(5)",
  from: "45 CFR 164.508(c)(1)(ii), 38 CFR 1.475(a)(1)",
  to: "45 CFR 164.508(c)(1)(iii), 38 CFR 1.475(a)(2)",
  why: "45 CFR 164.508(c)(1)(iv), 38 CFR 1.475(a)(4)",
  until: "45 CFR 164.508(c)(1)(v), 38 CFR 1.475(a)(9)",
  statements: "45 CFR 164.508(c)(2)(i)–(iii), (c)(4)",
  protected: "38 U.S.C. 7332, VHA 1605.1",
  header: "header",
  signature: "45 CFR 164.508(c)(1)(vi), 38 CFR 1.475(a)(6)–(7)"
}
