import { textOf } from "../../../src/clinical/JsonSpans.ts"
import { cutBundle } from "./RecordCut.ts"
import type { ReceivedItem } from "./RecordReading.ts"

interface Bundle {
  readonly entry?: ReadonlyArray<{ readonly resource?: unknown }>
}

/** The resources of a FHIR Bundle (R4) by type. It comes from outside: throws if it is none. */
export const resourcesOf = (bytes: Uint8Array): ReadonlyMap<string, ReadonlyArray<ReceivedItem>> => {
  const { answer, spans } = cutBundle(bytes)
  const types = new Map<string, Array<ReceivedItem>>()
  for (const { resource } of (answer as Bundle).entry ?? []) {
    const span = typeof resource === "number" ? spans[resource] : undefined
    if (span === undefined) throw new TypeError("This is no Bundle of ours.")
    const { id, resourceType } = JSON.parse(textOf(bytes, span)) as Readonly<Record<string, unknown>>
    const type = typeof resourceType === "string" ? resourceType : "Basic"
    const items = types.get(type) ?? []
    items.push({ fhirId: `${id}`, span })
    types.set(type, items)
  }
  return types
}
