import type { GapCause } from "../../../src/client/FhirReader.ts"
import type { Failure } from "../../shared/record/Messages.ts"

/** The messages between the page and the thread of the update. All of them can be cloned, as `postMessage` requires. */

/** Access to the service. Times are in milliseconds of this device's clock. */
export interface Access {
  readonly authorization: string
  readonly expiresAt: number
}

/** Where the update reads and where it writes. The VA's access token is in this message alone. */
export interface UpdateSource {
  /** The service's origin. */
  readonly api: string
  readonly access: Access
  readonly fhirBase: string
  readonly patientId: string
  readonly vaToken: string
  readonly vaExpiresAt: number
}

export interface UpdateTask {
  readonly resourceTypes: ReadonlyArray<string>
  /** Types that were stored at this time of the service or later are not read again. */
  readonly begin: string | null
}

/**
 * How far a kind is. `paused` waits for the VA. `sending` is loaded and not stored yet. The last five are ends: the
 * service took it as `complete`, `empty`, `partial` or `unavailable`, or refused to take it.
 */
export type Step =
  | "open"
  | "loading"
  | "paused"
  | "sending"
  | "complete"
  | "empty"
  | "partial"
  | "unavailable"
  | "refused"

export interface KindProgress {
  readonly resourceType: string
  readonly step: Step
  /** Items that were loaded so far. */
  readonly count: number
  /** Why the kind is not complete, if this update knows it. */
  readonly cause: GapCause | null
  /** True if the service keeps an older list of this kind. */
  readonly keepsOlder: boolean
}

/** How an update ended: all kinds were tried, the VA's sign-in has ended, or the service could not go on. */
export type End =
  | { readonly how: "done" }
  | { readonly how: "va_over" }
  | { readonly how: "failed"; readonly failure: Failure }

export type FromUpdate =
  /** The kinds that changed, at most 4 times a second. */
  | { readonly is: "kinds"; readonly kinds: ReadonlyArray<KindProgress> }
  /** When the reading goes on after the VA asked to wait; null if nothing waits. */
  | { readonly is: "waiting"; readonly until: number | null }
  /** The service's time of the first sync of this update. */
  | { readonly is: "stored"; readonly at: string }
  /** Asks for a new access token. */
  | { readonly is: "renew" }
  | { readonly is: "ended"; readonly end: End }

export type ToUpdate =
  | { readonly ask: "start"; readonly source: UpdateSource; readonly task: UpdateTask }
  /** Begins another update with the first one's source. */
  | { readonly ask: "again"; readonly task: UpdateTask }
  | { readonly ask: "access"; readonly access: Access }
  | { readonly ask: "hidden" }
  | { readonly ask: "shown" }
  | { readonly ask: "stop" }
