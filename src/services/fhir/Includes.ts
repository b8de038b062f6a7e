/** What a search adds to its matches: the medications of prescriptions, or the provenance of any item. */
export type Include = "medication" | "provenance"

/** The type of the items that each adds. */
export const includedType: Readonly<Record<Include, string>> = { medication: "Medication", provenance: "Provenance" }

export const includeParameters = ["_include", "_revinclude"] as const

/**
 * Reads `_include` or `_revinclude`, with or without the type of the target. Returns undefined for any other value: a
 * server need not support all of them (FHIR R4, 3.1.1.5.5), and without them the matches are the same.
 */
export const includeOf = (resourceType: string, name: string, value: string): Include | undefined => {
  if (name === "_include") {
    const [source, parameter, target = "Medication", ...rest] = value.split(":")
    const isMedication = source === "MedicationRequest" && parameter === "medication" && target === "Medication"
    return isMedication && rest.length === 0 && resourceType === source ? "medication" : undefined
  }
  if (name !== "_revinclude") return undefined
  const [source, parameter, target = resourceType, ...rest] = value.split(":")
  const isTarget = source === "Provenance" && parameter === "target" && target === resourceType
  return isTarget && rest.length === 0 ? "provenance" : undefined
}

export const includesOf = (
  resourceType: string,
  pairs: ReadonlyArray<readonly [name: string, value: string]>
): ReadonlyArray<Include> => [
  ...new Set(pairs.flatMap(([name, value]) => includeOf(resourceType, name, value) ?? []))
]
