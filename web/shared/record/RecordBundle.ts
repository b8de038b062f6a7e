export interface BundleFrame {
  /** ISO 8601. */
  readonly at: string
  /** The address of the service's FHIR API. */
  readonly base: string
  /** What is not complete, in sentences. */
  readonly warnings: ReadonlyArray<string>
}

interface BundleItem {
  readonly resourceType: string
  readonly fhirId: string
  readonly bytes: Uint8Array
}

/**
 * Makes a FHIR R4 Bundle `collection` of exact texts, as the parts of a Blob, which a browser may keep on disk. The
 * bundle begins with an OperationOutcome if parts of the record are not complete.
 */
export const recordBundle = ({ at, base, warnings }: BundleFrame, items: ReadonlyArray<BundleItem>): Blob => {
  const parts: Array<BlobPart> = []
  const add = (begin: string, resource: BlobPart) =>
    void parts.push(parts.length === 0 ? `,"entry":[{` : "},{", `${begin}"resource":`, resource)
  if (warnings.length > 0) {
    const issue = warnings.map((diagnostics) => ({ severity: "warning", code: "incomplete", diagnostics }))
    add("", JSON.stringify({ resourceType: "OperationOutcome", issue }))
  }
  for (const { bytes, fhirId, resourceType } of items) {
    const url = JSON.stringify(`${base}/${resourceType}/${fhirId}`)
    add(`"fullUrl":${url},`, bytes as Uint8Array<ArrayBuffer>)
  }
  const head = JSON.stringify({ resourceType: "Bundle", type: "collection", timestamp: at })
  return new Blob([head.slice(0, -1), ...parts, parts.length === 0 ? "}" : "}]}"])
}
