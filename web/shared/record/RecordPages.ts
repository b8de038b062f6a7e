import type { Span } from "../../../src/clinical/JsonSpans.ts"
import type { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { About, Access } from "./Messages.ts"

/**
 * The types of the first glance, which are fetched first. A type comes before the types whose items it names:
 * Medication before MedicationRequest.
 */
export const firstTypes: ReadonlyArray<string> = [
  "Patient",
  "AllergyIntolerance",
  "Immunization",
  "Condition",
  "Medication",
  "MedicationRequest",
  "MedicationStatement",
  "MedicationDispense",
  "MedicationAdministration",
  "Observation"
]

export const rankOf = (type: string) => firstTypes.includes(type) ? firstTypes.indexOf(type) : firstTypes.length

/** The largest page (contract, part 9). */
export const pageLimit = 1000

/** Pages fetched in parallel. The service prepares only a few large answers at the same time. */
const atOnce = 4

/** An item in a page of the record. `span` is its resource in the page's bytes. */
export interface ReceivedItem {
  /** The service's id of the item. */
  readonly id?: string
  readonly fhirId: string
  readonly span: Span
  readonly sensitiveCategories?: ReadonlyArray<SensitiveCategory>
}

export interface Page {
  readonly resourceType: string
  readonly items: ReadonlyArray<ReceivedItem>
  readonly bytes: Uint8Array
  /** True if this is the last page of the type. */
  readonly isLast: boolean
}

/** What is new or changed since the reader looked before, by `Type/id`. */
export interface Changes {
  readonly since: string | null
  readonly hows: ReadonlyMap<string, "new" | "changed">
}

export interface Listener {
  readonly about: (about: About) => void
  /** Called with each page. It must return immediately, because the next page is requested after it. */
  readonly page: (page: Page) => void
  /** Called with undefined if the list could not be loaded. */
  readonly changes: (changes: Changes | undefined) => void
}

/** The pages of a record. The service gives them in another form to each kind of reader. */
export interface RecordPages {
  /** Reads the rest of the record. Throws `RequestFailure`; a second call continues where the first one stopped. */
  readonly read: (access: Access) => Promise<void>
}

/** A page of a type that is still to be read. */
export interface UnreadPage {
  readonly resourceType: string
  readonly itemCount: number
  /** Null for the first page. */
  readonly cursor: string | null
}

/**
 * The pages that are still to be read. Types of the first glance come first. Then comes the type with the most items,
 * because the pages of one type cannot be fetched in parallel.
 */
export class UnreadPages {
  private readonly unread: Array<UnreadPage> = []

  add(...pages: ReadonlyArray<UnreadPage>) {
    this.unread.push(...pages)
    this.unread.sort((a, b) => rankOf(a.resourceType) - rankOf(b.resourceType) || b.itemCount - a.itemCount)
  }

  /** Reads all pages, several at a time, also those that are added meanwhile. Beside them it awaits `besides`. */
  async empty(read: (page: UnreadPage) => Promise<void>, ...besides: ReadonlyArray<Promise<void>>) {
    const lane = async () => {
      for (let next = this.unread.shift(); next !== undefined; next = this.unread.shift()) {
        try {
          await read(next)
        } catch (failed) {
          this.unread.unshift(next)
          throw failed
        }
      }
    }
    const ends = await Promise.allSettled([...Array.from({ length: atOnce }, lane), ...besides])
    const failed = ends.find((end) => end.status === "rejected")
    if (failed !== undefined) throw failed.reason
  }
}
