import { isInRange } from "../../clinical/ClinicalDate.ts"
import { members } from "../../clinical/Members.ts"
import { personOf } from "../../clinical/Person.ts"
import { entryOf, rowOf } from "../../clinical/Reading.ts"
import type { Entry } from "../../clinical/Row.ts"
import { isAnother, type SignedPerson } from "../../clinical/SamePerson.ts"
import { inOrder } from "../../clinical/Sections.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Piece, Scratch } from "../document/ScratchFile.ts"
import { openWhole, type SealingKey } from "../platform/Envelope.ts"
import { atOnce } from "../platform/Pace.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { isReadable } from "../record/ReadableJson.ts"
import { type BundleFrame, hasUuidReference, recordBundle } from "./RecordBundle.ts"
import { makeSubjects, maxRead } from "./RecordSubject.ts"
import type { makeBounds } from "./ReleaseBounds.ts"

/** A released item with its place in the order of the pages. */
export type ReleasedEntry = Entry & { readonly resourceType: string; readonly fhirId: string }

/** The record of a release, in the process that makes its files. */
export interface ReleasedRecord {
  /** The items in the order of the pages. */
  readonly entries: ReadonlyArray<ReleasedEntry>
  /** Returns an item's exact text, or an empty text if the item does not open or has too many values. */
  readonly text: (entry: ReleasedEntry) => Promise<string>
  /** Yields the bytes of `record.fhir.json`, the same at each call. */
  readonly bundle: () => AsyncIterable<Uint8Array>
  /** Number of items left out of a date range because they have no date. */
  readonly undated: number
  /** Whether a released Patient has another name or birth date than the authorization. */
  readonly isOfAnother: boolean
  /** The date of death of a released Patient, or “Yes” if the record has no date. Null if it tells of no death. */
  readonly died: string | null
}

/** A page of sealed items for the process. */
export type ItemPage = ReadonlyArray<{
  readonly resourceType: string
  readonly fhirId: string
  readonly envelope: Uint8Array
}>

interface Reading {
  readonly veteranId: VeteranId
  /** The person of the authorization. */
  readonly veteran: SignedPerson
  readonly keys: ReadonlyArray<SealingKey>
  readonly range: { readonly dateFrom: string | null; readonly dateTo: string | null }
  readonly count: ReturnType<typeof makeBounds>
}

interface Spooled extends ReleasedEntry {
  readonly piece: Piece
  readonly isReadable: boolean
}

/** Opens items page by page. Their texts go to a scratch file; only each text's position there stays in memory. */
export const readRecord = async (
  pages: AsyncIterable<ItemPage>,
  scratch: Scratch,
  { count, keys, range: { dateFrom, dateTo }, veteran, veteranId }: Reading
) => {
  const keyring = new Map(keys.map(({ id, key }) => [id, key]))
  const items: Array<Spooled> = []
  const subjects = makeSubjects()
  let [undated, unopened, refersByUuid, isOfAnother] = [0, 0, false, false]
  let died: string | null = null

  const opened = (resourceType: string, fhirId: string, envelope: Uint8Array) => {
    try {
      const place = placeOf("health_record_items", "raw_ciphertext", veteranId, resourceType, fhirId)
      return openWhole((id) => keyring.get(id), place, envelope)
    } catch {
      unopened++
      return Buffer.alloc(0)
    }
  }

  for await (const page of pages) {
    for (const { envelope, fhirId, resourceType } of page) {
      const bytes = opened(resourceType, fhirId, envelope)
      const readable = atOnce(isReadable(bytes))
      const { clinicalDate, ...entry } = entryOf(resourceType, fhirId, readable ? bytes.toString() : "")
      if (!isInRange(clinicalDate, dateFrom, dateTo)) {
        if (clinicalDate === null) undated++
        continue
      }
      count(bytes.length)
      refersByUuid ||= hasUuidReference(bytes)
      const isShort = bytes.length > 0 && bytes.length <= maxRead
      if (isShort && subjects.isOpen()) subjects.add(resourceIn(bytes))
      if (resourceType === "Patient" && readable) {
        const patient = bytes.toString()
        isOfAnother ||= isAnother(veteran, patient)
        died ??= personOf(rowOf(resourceType, fhirId, patient, () => undefined)).died
      }
      items.push({ ...entry, resourceType, fhirId, piece: await scratch.add(bytes), isReadable: readable })
    }
  }
  await scratch.flush()

  const bytesOf = ({ piece }: Spooled) => scratch.read(piece)
  const textOf = async (item: Spooled) => item.isReadable ? (await bytesOf(item)).toString() : ""
  return {
    /** Number of stored items that do not open. They have a row on the pages, but no entry in the bundle. */
    unopened,
    record: (frame: Omit<BundleFrame, "person" | "subject">): ReleasedRecord => ({
      entries: inOrder(items),
      text: (entry) => textOf(entry as Spooled),
      bundle: () =>
        recordBundle(
          { ...frame, person: { ...veteran, id: veteranId }, subject: subjects.one() },
          items.filter(({ piece }) => piece.length > 0),
          bytesOf,
          refersByUuid
        ),
      undated,
      isOfAnother,
      died
    })
  }
}

/** A text that is no JSON has no members. */
const resourceIn = (bytes: Buffer) => {
  try {
    return members<Record<string, unknown>>(JSON.parse(bytes.toString()))
  } catch {
    return {}
  }
}
