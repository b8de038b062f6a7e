import { isMadePatient } from "../domain/fhir/Patient.ts"
import { spanAt, textOf } from "./JsonSpans.ts"
import { list, members, text } from "./Members.ts"
import { cutList } from "./RecordCut.ts"
import type { SignedPerson } from "./SamePerson.ts"
import type { RecordItem } from "./Sections.ts"
import { type SignedState, warningTexts } from "./SignedWarnings.ts"

/** A release that is to be translated into a Continuity of Care Document (C-CDA R2.1). */
export interface CcdaSource {
  readonly documentId: string
  /** ISO 8601. */
  readonly signedAt: string
  /** The person of the signed authorization. */
  readonly veteran: SignedPerson
  /** The items of `record.fhir.json`. Nothing else of the record is read. */
  readonly items: ReadonlyArray<RecordItem>
  /** What a reader must know before anything else: which types are missing, incomplete or old. */
  readonly warnings: ReadonlyArray<string>
  /** The types that were chosen, and the first and last day (`YYYY-MM-DD`) if only items of some dates were. */
  readonly kinds: ReadonlyArray<string>
  readonly dateFrom: string | null
  readonly dateTo: string | null
  /** How many documents were released beside the record. */
  readonly attached: number
}

/**
 * What is to be translated, from the two files that each release has: `record.fhir.json` and `authorization.json`. On
 * the recipient's page they come out of a PDF. Throws if they are none of ours.
 */
export const ccdaSource = (bundle: Uint8Array, authorization: string): CcdaSource => {
  const { documentId, information, record, signedAt, veteran } = members<
    CcdaSource & { information: unknown; record: unknown }
  >(JSON.parse(authorization))
  const { dateOfBirth, fullName } = members<CcdaSource["veteran"]>(veteran)
  const [id, signed, name, born] = [documentId, signedAt, fullName, dateOfBirth].map(text)
  const { dateFrom, dateTo, documents, resourceTypes } = members<Record<typeof informed[number], unknown>>(information)
  if (!id || !signed || !name || !born || !uuid.test(id)) throw new TypeError("This is no authorization of ours.")
  const isMade = ({ fhirId, text }: RecordItem) =>
    isMadePatient(text, { id: fhirId, fullName: name, dateOfBirth: born })
  return {
    documentId: id,
    signedAt: signed,
    veteran: { fullName: name, dateOfBirth: born },
    items: itemsOf(bundle).filter((item) => !isMade(item)),
    warnings: warningTexts(list(record) as ReadonlyArray<SignedState>, false),
    kinds: list(resourceTypes).flatMap((type) => text(type) ?? []),
    dateFrom: dayOf(dateFrom),
    dateTo: dayOf(dateTo),
    attached: list(documents).length
  }
}

const informed = ["dateFrom", "dateTo", "documents", "resourceTypes"] as const

const dayOf = (json: unknown) => /^\d{4}-\d\d-\d\d$/.exec(text(json) ?? "")?.[0] ?? null

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A larger resource is not parsed. Its row says so, as in the release's PDF. */
const max = { bytes: 8 * 1024 * 1024, values: 200_000 }

/** The items of a bundle that this service wrote (RecordBundle.ts), each with its exact text. */
const itemsOf = (bytes: Uint8Array): ReadonlyArray<RecordItem> => {
  const { answer, spans } = cutList(bytes)
  return list(members<{ entry: unknown }>(answer).entry).map((entry) => {
    const { fullUrl, resource } = members<{ fullUrl: unknown; resource: unknown }>(entry)
    const span = typeof resource === "number" ? spans[resource] : undefined
    if (span === undefined) throw new TypeError("This is no Bundle of ours.")
    if (span.end - span.start > max.bytes || spanAt(bytes, span.start, max.values) === undefined) {
      const [resourceType = "Basic", fhirId = ""] = (text(fullUrl) ?? "").split(/[/:]/).slice(-2)
      return { resourceType: /^[A-Z]/.test(resourceType) ? resourceType : "Basic", fhirId, text: "" }
    }
    const json = textOf(bytes, span)
    const { id, resourceType } = members<{ id: unknown; resourceType: unknown }>(JSON.parse(json))
    return { resourceType: text(resourceType) ?? "Basic", fhirId: text(id) ?? "", text: json }
  })
}
