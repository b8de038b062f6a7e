import type { Glance } from "../../../src/clinical/Glance.ts"
import type { Person } from "../../../src/clinical/Person.ts"
import type { Row } from "../../../src/clinical/Row.ts"
import type { SignedPerson } from "../../../src/clinical/SamePerson.ts"
import type { Trend } from "../../../src/clinical/Trend.ts"
import type { Alert as SentAlert } from "../../../src/domain/Alert.ts"
import type { ProviderNote } from "../../../src/domain/ProviderNote.ts"
import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import type { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { Kind } from "./items/Kinds.ts"

/**
 * The messages between the page and the thread that reads the record. All of them can be cloned, as `postMessage`
 * requires.
 */

/** One line of the table of all items. `key` is the thread's number for the item. */
export interface Line {
  readonly key: number
  /** The service's id of the item. Null in a release, whose items have none. */
  readonly id: string | null
  readonly title: string
  readonly value: string | null
  readonly status: string | null
  readonly flags: ReadonlyArray<string>
  readonly kind: Kind
  /** Whether the item is new or changed since `About.since`; null if it is neither, or before that is known. */
  readonly how: "new" | "changed" | null
  /** The date to sort by, empty if there is none. */
  readonly date: string
  /** The first and the last day of the date, `YYYY-MM-DD`. Null if there is no date. */
  readonly days: readonly [first: string, last: string] | null
  /** True for an allergy, problem or medication that is not known to be past or wrong. */
  readonly isActive: boolean
  /** The text that a search looks in. */
  readonly folded: string
}

/** How complete a resource type is, as the service reports it. */
export interface Section {
  readonly resourceType: string
  readonly state: "unknown" | "empty" | "complete" | "partial" | "stale"
  readonly lastFetch: string | null
  /** When the source last answered, or could not. */
  readonly lastFetchAt: string | null
  readonly lastCompleteAt: string | null
  readonly itemCount: number
}

export type Alert = Omit<typeof SentAlert.Encoded, "message">

/** A release has no `updatedAt`. */
export type SelfReported = Omit<typeof Entry.Encoded, "updatedAt"> & Partial<Pick<typeof Entry.Encoded, "updatedAt">>

export type Note = Omit<typeof ProviderNote.Encoded, "providerId">

export interface SharedDocument {
  readonly id: string
  readonly kind: "roi" | "upload"
  readonly title: string
  readonly contentType: string
  readonly byteSize: number
  readonly createdAt: string
}

/** The contents of the first answer other than items. */
export interface About {
  readonly callSign: string
  readonly purpose: string
  readonly expiresAt: string
  /** When the provider looked before; null at their first look, or before that is known. */
  readonly since: string | null
  /** True if only items of some dates are in the record. */
  readonly isOfRange: boolean
  /** True for the record of a release. Its authorization tells which types were chosen. */
  readonly isRelease?: boolean
  /** True if the record of a release names another person than its authorization. */
  readonly isOfAnother?: boolean
  readonly alerts: ReadonlyArray<Alert>
  readonly sections: ReadonlyArray<Section>
  readonly selfReported: ReadonlyArray<SelfReported>
  readonly notes: ReadonlyArray<Note>
  readonly documents: ReadonlyArray<SharedDocument>
}

export interface RecordGlance extends Glance {
  /** Null if the record has no Patient, or more than one. */
  readonly patient: Person | null
}

/** One item with all its details. */
export interface Item {
  readonly key: number
  readonly kind: Kind
  readonly row: Row
  readonly trend: Trend | null
  /** The narrative of the resource, as HTML from outside. */
  readonly narrative: string | null
  /** What a grant must name to show the item to others. The service tells it to the veteran alone. */
  readonly keptBack: ReadonlyArray<SensitiveCategory>
}

export interface Failure {
  readonly status: number
  readonly error: string
  readonly requestId?: string
  readonly retryAfterSeconds?: number
}

export interface Progress {
  /** Keys, newest first. */
  readonly order: Uint32Array
  /** The types whose items have all arrived. */
  readonly whole: ReadonlyArray<string>
  /** True if the list of what is new or changed could not be loaded. */
  readonly isNewUnknown: boolean
  readonly done: boolean
}

export type FromThread =
  | { readonly is: "about"; readonly about: About }
  | { readonly is: "lines"; readonly lines: ReadonlyArray<Line> }
  | { readonly is: "progress"; readonly progress: Progress }
  | { readonly is: "glance"; readonly glance: RecordGlance }
  | { readonly is: "item"; readonly item: Item }
  | { readonly is: "source"; readonly key: number; readonly source: string }
  | { readonly is: "bundle"; readonly bundle: Blob }
  | { readonly is: "failed"; readonly failure: Failure }

/** What a file with all items begins with. */
export interface BundleFrame {
  /** ISO 8601. */
  readonly at: string
  /** The address of the service's FHIR API. */
  readonly base: string
  /** What is not complete, in sentences. */
  readonly warnings: ReadonlyArray<string>
}

export interface Access {
  readonly api: string
  readonly authorization: string
}

export type ToThread =
  /** `veteranId` is `me` for the veteran's own record. */
  | { readonly ask: "open"; readonly veteranId: string; readonly access: Access }
  /** Reads a record that is there whole: a FHIR Bundle, and what is known about its completeness. */
  | {
    readonly ask: "released"
    readonly bytes: Uint8Array
    readonly about: About
    /** The person who is named in the authorization. */
    readonly veteran: SignedPerson
  }
  /** Continues the reading where it failed. */
  | { readonly ask: "again"; readonly access: Access }
  | { readonly ask: "item"; readonly key: number }
  | { readonly ask: "source"; readonly key: number }
  | { readonly ask: "bundle"; readonly frame: BundleFrame }
