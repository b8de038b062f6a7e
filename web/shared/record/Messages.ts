import type { Row, SectionType } from "../../../src/clinical/Row.ts"
import type { Glance } from "./Glance.ts"
import type { Trend } from "./Trend.ts"

/**
 * The messages between the page and the thread that reads the record. All of them can be cloned, as `postMessage`
 * requires.
 */

/** One line of the table of all items. `key` is the thread's number for the item. */
export interface Line {
  readonly key: number
  readonly title: string
  readonly value: string | null
  readonly status: string | null
  readonly flags: ReadonlyArray<string>
  readonly kind: SectionType
  /** The date to sort by, empty if there is none. */
  readonly date: string
  /** The text that a search looks in. */
  readonly folded: string
}

/** How complete a resource type is, as the service reports it. */
export interface Section {
  readonly resourceType: string
  readonly state: "unknown" | "empty" | "complete" | "partial" | "stale"
  readonly lastFetch: string | null
  readonly lastCompleteAt: string | null
  readonly itemCount: number
}

export interface Alert {
  readonly resourceType: string
  readonly code: "record_incomplete" | "record_stale" | "last_fetch_incomplete"
  readonly lastCompleteAt: string | null
}

export interface SelfReported {
  readonly id: string
  readonly category: string
  readonly text: string
  readonly occurredOn: string | null
  readonly createdAt: string
}

export interface Note {
  readonly id: string
  readonly providerName: string
  readonly text: string
  readonly createdAt: string
}

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
  readonly alerts: ReadonlyArray<Alert>
  readonly sections: ReadonlyArray<Section>
  readonly selfReported: ReadonlyArray<SelfReported>
  readonly notes: ReadonlyArray<Note>
  readonly documents: ReadonlyArray<SharedDocument>
}

/** One item with all its details. */
export interface Item {
  readonly key: number
  readonly kind: SectionType
  readonly row: Row
  readonly trend: Trend | null
  /** The narrative of the resource, as HTML from outside. */
  readonly narrative: string | null
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
  readonly expected: number
  /** The types whose items have all arrived. */
  readonly whole: ReadonlyArray<string>
  readonly done: boolean
}

export type FromThread =
  | { readonly is: "about"; readonly about: About }
  | { readonly is: "lines"; readonly lines: ReadonlyArray<Line> }
  | { readonly is: "progress"; readonly progress: Progress }
  | { readonly is: "glance"; readonly glance: Glance }
  | { readonly is: "item"; readonly item: Item }
  | { readonly is: "source"; readonly key: number; readonly source: string }
  | { readonly is: "failed"; readonly failure: Failure }

export interface Access {
  readonly api: string
  readonly authorization: string
}

export type ToThread =
  | { readonly ask: "open"; readonly veteranId: string; readonly access: Access }
  /** Continues the reading where it failed. */
  | { readonly ask: "again"; readonly access: Access }
  | { readonly ask: "item"; readonly key: number }
  | { readonly ask: "source"; readonly key: number }
