import type { Entry } from "../../domain/clinical/Row.ts"

/** It stands in for `domain/clinical`: the place of an item, and the day that a range asks for; null where there is none. */
export const readItem = (resourceType: string, fhirId: string, text: string): { entry: Entry; day: string | null } => {
  const resource = parsed(text)
  const day = ["effectiveDateTime", "onsetDateTime", "recordedDate", "authoredOn", "date"]
    .map((member) => resource[member]).find((value) => typeof value === "string") as string | undefined
  const entry: Entry = {
    reference: `${resourceType}/${fhirId}`,
    section: "other",
    group: resourceType,
    groupTitle: resourceType,
    date: day ?? "",
    title: resourceType
  }
  return { entry, day: day ?? null }
}

const parsed = (text: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

export const isInRange = (day: string | null, from: string | null, to: string | null) =>
  (from === null && to === null) ||
  (day !== null && (from === null || day.slice(0, 10) >= from.slice(0, day.length)) &&
    (to === null || day.slice(0, 10) <= to))

export const compareEntries = (a: Entry, b: Entry) =>
  [a.section, a.group, a.reference].join() < [b.section, b.group, b.reference].join() ? -1 : 1
