import type { BundleFrame } from "../../shared/record/Messages.ts"
import type { ExactItem } from "../../shared/record/RecordReading.ts"

/**
 * Makes a FHIR R4 Bundle `collection` of exact texts, as the parts of a Blob, which a browser may keep on disk. The
 * bundle begins with an OperationOutcome if parts of the record are not complete.
 */
export const recordBundle = ({ at, base, warnings }: BundleFrame, items: ReadonlyArray<ExactItem>): Blob => {
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
