import { Schema } from "effect"

/** How the client's last fetch of a FHIR resource type ended (specification, "Resources"). */
export const FetchStatus = Schema.Literals(["complete", "empty", "partial", "unavailable"])

export type FetchStatus = typeof FetchStatus.Type

/** Returns true if the fetch did not load every resource of the type. Null means that there was no fetch. */
export const isIncomplete = (lastFetch: FetchStatus | null): boolean =>
  lastFetch === "partial" || lastFetch === "unavailable"

/** The stored state of each FHIR resource type (specification, "States and transitions"). */
export const SyncState = Schema.Literals(["unknown", "empty", "complete", "partial", "stale"])

export type SyncState = typeof SyncState.Type

export type ItemAction = "replace" | "deactivateAll" | "store" | "skip" | "nothing"

/** Returns a type's next state and what happens to its items, by the specification's table of transitions. */
export const transition = (
  before: SyncState,
  lastFetch: FetchStatus
): { readonly state: SyncState; readonly action: ItemAction } => {
  const isFetched = before !== "unknown" && before !== "empty"
  switch (lastFetch) {
    case "complete":
      return { state: "complete", action: "replace" }
    case "empty":
      return { state: "empty", action: "deactivateAll" }
    case "partial":
      return isFetched ? { state: stale(before), action: "skip" } : { state: "partial", action: "store" }
    case "unavailable":
      return { state: stale(before), action: "nothing" }
  }
}

/** After an incomplete fetch, the items of the earlier complete fetch stay, but they are no longer current. */
const stale = (before: SyncState): SyncState => before === "complete" ? "stale" : before
