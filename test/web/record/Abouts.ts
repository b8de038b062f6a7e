import type { About, Section } from "../../../web/shared/record/Messages.ts"

/** When the record of these tests was read from its source. */
const readAt = "2026-11-21T12:00:00.000Z"

export const section = (resourceType: string, state: Section["state"], itemCount = 1): Section => ({
  resourceType,
  state,
  itemCount,
  lastFetch: null,
  lastFetchAt: null,
  lastCompleteAt: state === "unknown" || state === "partial" ? null : readAt
})

/** What is told of a record beside its items. */
export const about = (sections: About["sections"], alerts: About["alerts"] = []): About => ({
  callSign: "Eagle",
  purpose: "",
  expiresAt: "2026-12-21T12:00:00.000Z",
  since: null,
  isOfRange: false,
  alerts,
  sections,
  selfReported: [],
  notes: [],
  documents: []
})
