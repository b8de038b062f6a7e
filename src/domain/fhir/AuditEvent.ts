import { type Coding, coding, concept, type Reference } from "./Shapes.ts"

export interface DisclosedEvent {
  readonly id: string
  readonly kind: string
  /** The system of the kinds of events. */
  readonly kinds: string
  /** ISO 8601. */
  readonly at: string
  readonly purpose: { readonly coding: Coding; readonly text?: string | undefined }
  readonly destination: {
    readonly who: Reference
    readonly name?: string | undefined
    readonly network?: { readonly address: string; readonly type: "4" | "5" } | undefined
  }
  readonly source: Reference
  readonly patient: Reference
  /** What was disclosed: a release, a document or the record under a grant. */
  readonly what: { readonly reference: Reference | undefined; readonly isDocument: boolean; readonly summary: string }
  /** In hex. Absent while the event is not drained. */
  readonly leafHash: string | undefined
}

/** A disclosure as 45 CFR 164.528(b)(2) asks to account for it: date, recipient, what and purpose. */
export const disclosureEvent = (
  { at, destination, id, kind, kinds, leafHash, patient, purpose, source, what }: DisclosedEvent
) => ({
  resourceType: "AuditEvent",
  id,
  type: coding("dicom", "110106", "Export"),
  subtype: [{ system: kinds, code: kind }],
  recorded: at,
  outcome: "0",
  purposeOfEvent: [{ ...concept(purpose.coding), ...purpose.text !== undefined && { text: purpose.text } }],
  agent: [
    {
      type: concept(coding("dicom", "110152", "Destination Role ID")),
      who: destination.who,
      ...destination.name !== undefined && { name: destination.name },
      requestor: true,
      ...destination.network !== undefined && { network: destination.network }
    },
    { type: concept(coding("dicom", "110153", "Source Role ID")), who: source, requestor: false }
  ],
  source: { observer: source, type: [coding("securitySource", "4", "Application Server")] },
  entity: [
    {
      ...what.reference !== undefined && { what: what.reference },
      type: coding("entityType", "2", "System Object"),
      role: what.isDocument ? coding("entityRole", "3", "Report") : coding("entityRole", "4", "Domain Resource"),
      description: what.summary,
      ...leafHash !== undefined && { detail: [{ type: "leaf hash", valueString: leafHash }] }
    },
    {
      what: patient,
      type: coding("entityType", "1", "Person"),
      role: coding("entityRole", "1", "Patient")
    }
  ]
})
