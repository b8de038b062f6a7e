import { DateTime, Result, Schema } from "effect"
import { InvalidRequest } from "../../domain/Errors.ts"
import { Id } from "../../domain/Id.ts"
import { AuthorizationRequest } from "../../domain/Release.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { undrawable } from "../pdf/NotoSans.ts"
import { readDrawnSignature } from "./DrawnSignature.ts"

/** What the rules look at beside the request. */
export interface Facts {
  /** By the database's clock. */
  readonly now: Date
  /** Of the documents that the request names, those that are the veteran's uploads. */
  readonly uploads: ReadonlySet<string>
  /** Of the releases that the request names, those of the veteran that are in force. */
  readonly inForce: ReadonlySet<string>
}

type Element = keyof AuthorizationRequest

type Problem = readonly [path: ReadonlyArray<string | number>, message: string]

interface Rule<Key extends Element> {
  readonly citation: string
  /** What a value that decodes contradicts; `request` holds every other element that decodes. */
  readonly contradictions?: (
    value: NonNullable<AuthorizationRequest[Key]>,
    facts: Facts,
    request: Partial<AuthorizationRequest>
  ) => ReadonlyArray<Problem | false>
}

const statementRule = { citation: "45 CFR 164.508(c)(2)(i)–(iii), (c)(4)" }

/** The table of roi-authorization.md: the rule behind each element, and what it refuses. */
export const rules: { readonly [Key in Element]: Rule<Key> } = {
  veteran: {
    citation: "header",
    contradictions: ({ dateOfBirth }, { now }) => [
      dateOfBirth > dateOf(now) && [["dateOfBirth"], "Expected a date that is not in the future"]
    ]
  },
  information: {
    citation: "45 CFR 164.508(c)(1)(i), 38 CFR 1.475(a)(5)",
    contradictions: ({ dateFrom, dateTo, documentIds = [] }, { uploads }) => [
      dateFrom && dateTo && dateTo < dateFrom
        ? [["dateTo"], "Expected a range that does not end before it begins"]
        : false,
      ...documentIds.map((id, index) =>
        !uploads.has(id) && [["documentIds", index], "Expected a document that you uploaded"] as const
      )
    ]
  },
  disclosingParty: { citation: "45 CFR 164.508(c)(1)(ii), 38 CFR 1.475(a)(1)" },
  recipient: { citation: "45 CFR 164.508(c)(1)(iii), 38 CFR 1.475(a)(2)" },
  purpose: {
    citation: "45 CFR 164.508(c)(1)(iv), 38 CFR 1.475(a)(4)",
    contradictions: (
      { code, text }
    ) => [code === "other" && !text && [["text"], "Expected text for the purpose 'other'"]]
  },
  expiration: {
    citation: "45 CFR 164.508(c)(1)(v), 38 CFR 1.475(a)(9)",
    contradictions: ({ date, event }, { now }) => [
      !date === !event && [[], "Expected either a date or an event"],
      date && date < dateOf(now) ? [["date"], "Expected a date that is not past"] : false,
      date && date > dateOf(inTwelveMonths(now)) ? [["date"], "Expected a date within 12 months"] : false
    ]
  },
  statementsVersion: statementRule,
  statementsAccepted: statementRule,
  sensitiveCategories: {
    citation: "38 U.S.C. 7332, VHA 1605.1",
    contradictions: (accepted) =>
      accepted.map(({ category }, index) =>
        accepted.findIndex((other) => other.category === category) < index &&
        [[index, "category"], "Expected each category once"] as const
      )
  },
  signature: {
    citation: "45 CFR 164.508(c)(1)(vi), 38 CFR 1.475(a)(6)–(7)",
    contradictions: ({ authority, drawnPng, nameDiffers, signerRole, typedName }, _, { veteran }) => [
      ...wrongDrawing(drawnPng),
      veteran !== undefined && nameDiffers !== true && spelled(typedName) !== spelled(veteran.fullName) &&
      [["typedName"], "Expected the veteran's full name, or 'nameDiffers': true"],
      signerRole === "representative" && !authority &&
      [["authority"], "Expected the authority by which a representative signs"]
    ]
  },
  incompleteRecordConfirmed: { citation: "interface specification, States and transitions" },
  supersedes: {
    citation: "45 CFR 164.508(b)(5)",
    contradictions: (id, { inForce }) => [!inForce.has(id) && [[], "Expected a release of yours that is in force"]]
  }
}

const elements = Object.keys(rules) as ReadonlyArray<Element>

/**
 * Every missing or contradictory element of a request at once, each issue naming its rule. It runs when a release is
 * signed, and again before anything is released under it.
 */
export const lint = (request: unknown, facts: Facts): Result.Result<AuthorizationRequest, InvalidRequest> => {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    return Result.fail(InvalidRequest.at([], "Expected an object"))
  }
  const given = request as Record<string, unknown>
  const issues: Array<InvalidRequest["issues"][number]> = Object.keys(given)
    .filter((key) => !(key in AuthorizationRequest.fields))
    .map((key) => ({ path: [key], message: "Expected no excess property" }))
  const decoded: Partial<Record<Element, unknown>> = {}
  for (const key of elements) {
    const result = decodeElement(key, given)
    if (Result.isSuccess(result)) {
      if (result.success[key] !== undefined) decoded[key] = result.success[key]
      continue
    }
    for (const { message, path } of InvalidRequest.of(result.failure).issues) {
      issues.push({ path, message: `${rules[key].citation}: ${message}` })
    }
  }
  for (const key of elements) {
    const { citation, contradictions } = rules[key] as Rule<never>
    const value = decoded[key] as never
    if (value === undefined || value === null) continue
    for (const [path, text] of texts(value)) {
      const characters = undrawable(text)
      if (characters.length > 0) {
        issues.push({
          path: [key, ...path],
          message: `${citation}: Expected characters that the document's fonts can show; they cannot show ${
            characters.slice(0, 10).join(", ")
          }`
        })
      }
    }
    for (const problem of contradictions?.(value, facts, decoded as Partial<AuthorizationRequest>) ?? []) {
      if (problem !== false) issues.push({ path: [key, ...problem[0]], message: `${citation}: ${problem[1]}` })
    }
  }
  return issues.length > 0
    ? Result.fail(new InvalidRequest({ issues }))
    : Result.succeed(decoded as unknown as AuthorizationRequest)
}

const decoders = new Map(elements.map((key) =>
  [
    key,
    Schema.decodeUnknownResult(Schema.Struct({ [key]: AuthorizationRequest.fields[key] }), {
      errors: "all",
      onExcessProperty: "error"
    })
  ] as const
))

const decodeElement = (key: Element, given: Record<string, unknown>) =>
  decoders.get(key)!(Object.hasOwn(given, key) ? { [key]: given[key] } : {})

/** What a request names that `Facts` are fetched for, before it is known to be one. */
export const named = (request: unknown): {
  readonly documents: ReadonlyArray<string>
  readonly categories: ReadonlyArray<SensitiveCategory>
} => {
  const { information, sensitiveCategories, supersedes } = Object(request)
  const all = (values: unknown): ReadonlyArray<unknown> => Array.isArray(values) ? values.slice(0, 200) : []
  return {
    documents: [...all(Object(information).documentIds), supersedes].filter(Schema.is(Id)),
    categories: all(sensitiveCategories).map((entry) => Object(entry).category).filter(Schema.is(SensitiveCategory))
  }
}

/** The last moment at which something may be released: the end of its day, or 12 months from `now` where an event ends it. */
export const endOf = ({ date }: AuthorizationRequest["expiration"], now: Date): Date =>
  date ? new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000) : inTwelveMonths(now)

const inTwelveMonths = (now: Date) => DateTime.toDateUtc(DateTime.add(DateTime.fromDateUnsafe(now), { months: 12 }))

const dateOf = (now: Date) => now.toISOString().slice(0, 10)

/** As compared: the same letters in whatever Unicode form, spaces apart. */
const spelled = (name: string) => name.normalize("NFC").trim().replace(/\s+/g, " ")

const wrongDrawing = (drawnPng: string | null | undefined): ReadonlyArray<Problem> => {
  const read = drawnPng ? readDrawnSignature(drawnPng) : undefined
  return typeof read === "string" ? [[["drawnPng"], read]] : []
}

/** Every text within an element, and where it stands. */
const texts = (value: unknown): ReadonlyArray<readonly [path: ReadonlyArray<string | number>, text: string]> =>
  typeof value === "string"
    ? [[[], value]]
    : Object.entries(Object(value)).flatMap(([key, member]) =>
      texts(member).map(([path, text]) => [[key, ...path], text] as const)
    )
