import { textOf } from "../../../src/clinical/JsonSpans.ts"
import { cutList } from "../../../src/clinical/RecordCut.ts"
import { isAnother, type SignedPerson } from "../../../src/clinical/SamePerson.ts"
import { isMadePatient } from "../../../src/domain/fhir/Patient.ts"
import type { About, Alert } from "../../shared/record/Messages.ts"
import type { ReceivedItem } from "../../shared/record/RecordPages.ts"

interface Bundle {
  readonly entry?: ReadonlyArray<{ readonly resource?: unknown }>
}

type Types = ReadonlyMap<string, ReadonlyArray<ReceivedItem>>

/**
 * The resources of a FHIR Bundle (R4) by type, without a Patient that the release made of the signed person. It comes
 * from outside: throws if it is none.
 */
export const resourcesOf = (bytes: Uint8Array, { dateOfBirth, fullName }: SignedPerson): Types => {
  const { answer, spans } = cutList(bytes)
  const types = new Map<string, Array<ReceivedItem>>()
  for (const { resource } of (answer as Bundle).entry ?? []) {
    const span = typeof resource === "number" ? spans[resource] : undefined
    if (span === undefined) throw new TypeError("This is no Bundle of ours.")
    const json = textOf(bytes, span)
    const { id, resourceType } = JSON.parse(json) as Readonly<Record<string, unknown>>
    if (isMadePatient(json, { id: `${id}`, fullName, dateOfBirth })) continue
    const type = typeof resourceType === "string" ? resourceType : "Basic"
    const items = types.get(type) ?? []
    items.push({ fhirId: `${id}`, span })
    types.set(type, items)
  }
  return types
}

/** Adds what the items tell against the authorization: that they are of another person, or fewer than were signed. */
export const withItemWarnings = (bytes: Uint8Array, types: Types, about: About, veteran: SignedPerson): About => {
  const lacking = about.sections.filter(({ itemCount, resourceType }) =>
    // The signed count is of all items. A range of dates leaves some of them out.
    !about.isOfRange && (types.get(resourceType)?.length ?? 0) < itemCount
  ).map(({ resourceType }): Alert => ({ resourceType, code: "record_incomplete", lastCompleteAt: null }))
  return {
    ...about,
    alerts: [
      ...lacking,
      ...about.alerts.filter((alert) => lacking.every(({ resourceType }) => resourceType !== alert.resourceType))
    ],
    isOfAnother: (types.get("Patient") ?? []).some(({ span }) => isAnother(veteran, textOf(bytes, span)))
  }
}
