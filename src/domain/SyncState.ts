import { Schema } from "effect"

/** The client tells how the last fetch of a FHIR resource type ended (specification, "Resources"). */
export const FetchStatus = Schema.Literals(["complete", "empty", "partial", "unavailable"])

export type FetchStatus = typeof FetchStatus.Type

/** Such a fetch did not load all there is. Null stands for none at all. */
export const isIncomplete = (lastFetch: FetchStatus | null): boolean =>
  lastFetch === "partial" || lastFetch === "unavailable"

/** The service stores this state of each FHIR resource type (specification, "States and transitions"). */
export const SyncState = Schema.Literals(["unknown", "empty", "complete", "partial", "stale"])

export type SyncState = typeof SyncState.Type

/** A sync does this with the items of one type. */
export type ItemAction = "replace" | "deactivateAll" | "store" | "skip" | "nothing"

/** This is the transition table of the specification. It is total: every stored state meets every last fetch. */
export const transition = (
  before: SyncState,
  lastFetch: FetchStatus
): { readonly state: SyncState; readonly action: ItemAction } => {
  const known = before !== "unknown" && before !== "empty"
  switch (lastFetch) {
    case "complete":
      return { state: "complete", action: "replace" }
    case "empty":
      return { state: "empty", action: "deactivateAll" }
    case "partial":
      return known ? { state: stale(before), action: "skip" } : { state: "partial", action: "store" }
    case "unavailable":
      return { state: stale(before), action: "nothing" }
  }
}

/** After an incomplete fetch what a complete one stored stays, and is no longer current. */
const stale = (before: SyncState): SyncState => before === "complete" ? "stale" : before
