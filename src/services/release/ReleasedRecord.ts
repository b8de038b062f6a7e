import { isInRange } from "../../clinical/ClinicalDate.ts"
import { entryOf } from "../../clinical/Reading.ts"
import type { Entry } from "../../clinical/Row.ts"
import { inOrder } from "../../clinical/Sections.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Piece, Scratch } from "../document/ScratchFile.ts"
import { openWhole, type SealingKey } from "../platform/Envelope.ts"
import { atOnce } from "../platform/Pace.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { isReadable } from "../record/ReadableJson.ts"
import { type BundleFrame, hasUuidReference, recordBundle } from "./RecordBundle.ts"
import type { makeBounds } from "./ReleaseBounds.ts"

/** The place of a released item among the others. */
export type ReleasedEntry = Entry & { readonly resourceType: string; readonly fhirId: string }

/** The record that a release carries, as the process that makes its files has it. */
export interface ReleasedRecord {
  /** In the order of the pages. */
  readonly entries: ReadonlyArray<ReleasedEntry>
  /** The exact text of an item; empty where it cannot be read: what is stored does not open, or has too many values. */
  readonly text: (entry: ReleasedEntry) => Promise<string>
  /** `record.fhir.json`, the same each time. */
  readonly bundle: () => AsyncIterable<Uint8Array>
  /** So many items were left out because a range is given and they have no date. */
  readonly undated: number
}

/** A page of sealed items on its way to the process. */
export type ItemPage = ReadonlyArray<{
  readonly resourceType: string
  readonly fhirId: string
  readonly envelope: Uint8Array
}>

interface Reading {
  readonly veteranId: VeteranId
  readonly keys: ReadonlyArray<SealingKey>
  readonly range: { readonly dateFrom: string | null; readonly dateTo: string | null }
  readonly count: ReturnType<typeof makeBounds>
}

interface Spooled extends ReleasedEntry {
  readonly piece: Piece
  readonly isReadable: boolean
}

/** Opens items page by page, and keeps of each its text in a file and its place in memory. */
export const readRecord = async (
  pages: AsyncIterable<ItemPage>,
  scratch: Scratch,
  { count, keys, range: { dateFrom, dateTo }, veteranId }: Reading
) => {
  const keyring = new Map(keys.map(({ id, key }) => [id, key]))
  const items: Array<Spooled> = []
  let [undated, unopened, refersByUuid] = [0, 0, false]

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
      items.push({ ...entry, resourceType, fhirId, piece: await scratch.add(bytes), isReadable: readable })
    }
  }
  await scratch.flush()

  const bytesOf = ({ piece }: Spooled) => scratch.read(piece)
  const textOf = async (item: Spooled) => item.isReadable ? (await bytesOf(item)).toString() : ""
  return {
    /** So many stored items were not intact: they have a row, and no place in the bundle. */
    unopened,
    record: (frame: BundleFrame): ReleasedRecord => ({
      entries: inOrder(items),
      text: (entry) => textOf(entry as Spooled),
      bundle: () => recordBundle(frame, items.filter(({ piece }) => piece.length > 0), bytesOf, refersByUuid),
      undated
    })
  }
}
