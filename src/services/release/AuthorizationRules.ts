import { DateTime, Predicate, Record, Result, Schema, Struct } from "effect"
import { InvalidRequest } from "../../domain/Errors.ts"
import { type DocumentId, SentDocumentId } from "../../domain/Id.ts"
import { AuthorizationRequest, type PreviewRequest } from "../../domain/Release.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"

/** Facts that the rules check besides the request itself. */
export interface Facts {
  /** The database's clock. */
  readonly now: Date
  /** When the release was signed, if not now. */
  readonly signedAt?: Date
  /** The documents of the request that are the veteran's uploads. */
  readonly uploads: ReadonlySet<string>
  /** The releases of the request that are the veteran's and in force. */
  readonly inForce: ReadonlySet<string>
  /** What is wrong with the drawn signature, which a worker process has read. */
  readonly drawingRefused?: string | undefined
}

/** Elements that a preview may lack. */
const previewedWithout = ["signature", "statementsAccepted"] as const

type Element = keyof AuthorizationRequest

type Issue = InvalidRequest["issues"][number]

interface Rule<Key extends Element> {
  readonly citation: string
  /** Lists what is wrong with a decoded value. `request` has every element that decodes. */
  readonly contradictions?: (
    value: NonNullable<AuthorizationRequest[Key]>,
    facts: Facts,
    request: Partial<AuthorizationRequest>
  ) => ReadonlyArray<Issue | undefined>
}

/** Makes an issue if `wrong`. Its path begins at the element. */
const refuse = (wrong: boolean, path: Issue["path"], message: string): Issue | undefined =>
  wrong ? { path, message } : undefined

/** The longest time between the acceptance of a category and the signature, in milliseconds. */
const maxAcceptanceMs = 86_400_000

/** How far a client's clock may be ahead of the database's, in milliseconds. */
const clockSkew = 60_000

const statementRule = { citation: "45 CFR 164.508(c)(2)(i)–(iii), (c)(4)" }

/** The table of roi-authorization.md: the citation for each element, and the contradictions that it refuses. */
export const rules: { readonly [Key in Element]: Rule<Key> } = {
  veteran: {
    citation: "header",
    contradictions: ({ dateOfBirth }, { now }) => [
      refuse(dateOfBirth > dateOf(now), ["dateOfBirth"], "Expected a date that is not in the future")
    ]
  },
  information: {
    citation: "45 CFR 164.508(c)(1)(i), 38 CFR 1.475(a)(5)",
    contradictions: ({ dateFrom, dateTo, documentIds = [] }, { uploads }) => [
      refuse(isBefore(dateTo, dateFrom), ["dateTo"], "Expected a range that does not end before it begins"),
      ...documentIds.map((id, index) =>
        refuse(!uploads.has(id), ["documentIds", index], "Expected a document that you uploaded")
      )
    ]
  },
  disclosingParty: { citation: "45 CFR 164.508(c)(1)(ii), 38 CFR 1.475(a)(1)" },
  recipient: { citation: "45 CFR 164.508(c)(1)(iii), 38 CFR 1.475(a)(2)" },
  purpose: {
    citation: "45 CFR 164.508(c)(1)(iv), 38 CFR 1.475(a)(4)",
    contradictions: ({ code, text }) => [
      refuse(code === "other" && !text, ["text"], "Expected text for the purpose 'other'")
    ]
  },
  expiration: {
    citation: "45 CFR 164.508(c)(1)(v), 38 CFR 1.475(a)(9)",
    contradictions: ({ date, event }, { now }) => [
      refuse(Boolean(date) === Boolean(event), [], "Expected either a date or an event"),
      refuse(isBefore(date, dateOf(now)), ["date"], "Expected a date that is not past"),
      refuse(isBefore(dateOf(inTwelveMonths(now)), date), ["date"], "Expected a date within 12 months")
    ]
  },
  statementsVersion: statementRule,
  statementsAccepted: statementRule,
  sensitiveCategories: {
    citation: "38 U.S.C. 7332, VHA 1605.1",
    contradictions: (accepted, { now, signedAt = now }) => {
      const categories = accepted.map(({ category }) => category)
      return accepted.flatMap(({ acceptedAt, category }, index) => {
        const before = signedAt.getTime() - acceptedAt.getTime()
        return [
          refuse(categories.indexOf(category) < index, [index, "category"], "Expected each category once"),
          refuse(before > maxAcceptanceMs, [index, "acceptedAt"], "Expected an instant within the last day"),
          refuse(before < -clockSkew, [index, "acceptedAt"], "Expected an instant that is not in the future")
        ]
      })
    }
  },
  signature: {
    citation: "45 CFR 164.508(c)(1)(vi), 38 CFR 1.475(a)(6)–(7)",
    contradictions: ({ authority, nameDiffers = false, signerRole, typedName }, _, { veteran }) => [
      refuse(
        veteran !== undefined && !nameDiffers && spelled(typedName) !== spelled(veteran.fullName),
        ["typedName"],
        "Expected the veteran's full name, or 'nameDiffers': true"
      ),
      refuse(
        signerRole === "representative" && !authority,
        ["authority"],
        "Expected the authority by which a representative signs"
      )
    ]
  },
  incompleteRecordConfirmed: { citation: "interface specification, States and transitions" },
  supersedes: {
    citation: "45 CFR 164.508(b)(5)",
    contradictions: (id, { inForce }) => [
      refuse(!inForce.has(id), [], "Expected a release of yours that is in force")
    ]
  }
}

const elements = Struct.keys(rules)

/** Reports all missing or contradictory elements, each with its citation, at signing and before each disclosure. */
export const lint = (request: unknown, facts: Facts): Result.Result<AuthorizationRequest, InvalidRequest> =>
  // The cast is safe: if there are no issues, every element was decoded.
  Result.map(decodeWithout(request, facts, []), (decoded) => decoded as AuthorizationRequest)

export const lintPreview = (request: unknown, facts: Facts): Result.Result<PreviewRequest, InvalidRequest> =>
  Result.map(decodeWithout(request, facts, previewedWithout), (decoded) => decoded as PreviewRequest)

const decodeWithout = (
  request: unknown,
  facts: Facts,
  optional: ReadonlyArray<Element>
): Result.Result<Partial<AuthorizationRequest>, InvalidRequest> => {
  if (!Predicate.isObject(request)) return Result.fail(InvalidRequest.at([], "Expected an object"))
  const issues: Array<Issue> = Object.keys(request)
    .filter((key) => !Object.hasOwn(fields, key))
    .map((key) => ({ path: [key], message: "Expected no excess property" }))
  const decoded: Partial<AuthorizationRequest> = {}
  for (const key of elements) {
    if (optional.includes(key) && !Object.hasOwn(request, key)) continue
    const result = decoders[key](Object.hasOwn(request, key) ? { [key]: request[key] } : {})
    if (Result.isSuccess(result)) Object.assign(decoded, result.success)
    else issues.push(...InvalidRequest.of(result.failure).issues.map((issue) => cited(key, issue)))
  }
  issues.push(...elements.flatMap((key) => checkElement(key, decoded, facts)))
  if (facts.drawingRefused !== undefined) {
    issues.push(cited("signature", { path: ["signature", "drawnPng"], message: facts.drawingRefused }))
  }
  return issues.length > 0 ? Result.fail(new InvalidRequest({ issues })) : Result.succeed(decoded)
}

const { fields } = AuthorizationRequest

/** One decoder for each element, so that one invalid element does not hide the others. */
const decoders = Record.map(
  fields,
  (field, key) =>
    Schema.decodeUnknownResult(Schema.Struct({ [key]: field }), { errors: "all", onExcessProperty: "error" })
)

const checkElement = <Key extends Element>(
  key: Key,
  decoded: Partial<AuthorizationRequest>,
  facts: Facts
): ReadonlyArray<Issue> => {
  const value: AuthorizationRequest[Key] | undefined = decoded[key]
  if (value === undefined || value === null) return []
  const rule: Rule<Key> = rules[key]
  return (rule.contradictions?.(value, facts, decoded) ?? [])
    .filter((issue) => issue !== undefined)
    .map(({ message, path }) => cited(key, { path: [key, ...path], message }))
}

const cited = (key: Element, { message, path }: Issue): Issue => ({
  path,
  message: `${rules[key].citation}: ${message}`
})

/** Finds the ids and categories in an unchecked request. The `Facts` about them are then read. */
export const namedIds = (request: unknown): {
  readonly documents: ReadonlyArray<DocumentId>
  readonly categories: ReadonlyArray<SensitiveCategory>
} => {
  const { information, sensitiveCategories, supersedes } = Object(request)
  const all = (values: unknown): ReadonlyArray<unknown> => Array.isArray(values) ? values.slice(0, 200) : []
  return {
    documents: [...all(Object(information).documentIds), supersedes].filter(Schema.is(SentDocumentId)),
    categories: all(sensitiveCategories).map((entry) => Object(entry).category).filter(Schema.is(SensitiveCategory))
  }
}

/** Finds the drawing of an unchecked request, in base64. */
export const drawnSignatureOf = (request: unknown): string | undefined => {
  const { drawnPng } = Object(Object(request).signature)
  return typeof drawnPng === "string" ? drawnPng : undefined
}

/** The end of a release: the end of the given day, or 12 months from `now` if an event is given. */
export const endOf = ({ date }: AuthorizationRequest["expiration"], now: Date): Date =>
  date ? new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000) : inTwelveMonths(now)

const inTwelveMonths = (now: Date) => DateTime.toDateUtc(DateTime.add(DateTime.fromDateUnsafe(now), { months: 12 }))

const dateOf = (now: Date) => now.toISOString().slice(0, 10)

/** False if either date is missing. */
const isBefore = (date: string | null | undefined, other: string | null | undefined) =>
  Boolean(date && other && date < other)

/** Normalises a name for comparison: one Unicode form and single spaces. */
const spelled = (name: string) => name.normalize("NFC").trim().replace(/\s+/g, " ")
