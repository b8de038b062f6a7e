import { DateTime, Schema } from "effect"
import type { Patient } from "../domain/Patient.ts"
import { statementsVersion } from "../domain/ReleaseStatements.ts"
import { CalendarDate } from "../domain/Scalars.ts"

/** The person of the record signs, as far as it has a name and a whole birth date. */
export const signerOf = ({ callSign, person }: typeof Patient.Type) => {
  const birthDate = person?.birthDate ?? ""
  return {
    fullName: person?.name ?? callSign,
    dateOfBirth: Schema.is(CalendarDate)(birthDate) ? birthDate : "1962-03-04"
  }
}

/** The release that the demo's veteran signs: all synchronised types, for thirty days, to one recipient. */
export const demoRelease = (
  veteran: ReturnType<typeof signerOf>,
  types: ReadonlyArray<string>,
  email: string,
  now: DateTime.DateTime
) => ({
  veteran,
  information: { resourceTypes: types },
  disclosingParty: { name: "Veteran Records Sharing Service" },
  recipient: { name: "Dr. Ada Gray", organization: "Demo Clinic", email },
  purpose: { code: "treatment" as const },
  expiration: { date: DateTime.formatIsoDateUtc(DateTime.add(now, { days: 30 })) },
  statementsVersion: statementsVersion as typeof statementsVersion,
  statementsAccepted: true as const,
  signature: {
    typedName: veteran.fullName,
    consentToElectronicSignature: true as const,
    signerRole: "veteran" as const
  },
  incompleteRecordConfirmed: true
})

/** A grant of the whole record, the self-reported entries and the documents, for a week. */
export const demoConsent = (now: DateTime.DateTime) => ({
  resourceTypes: null,
  sensitiveCategories: [],
  includeSelfReported: true,
  includeDocuments: true,
  purpose: "treatment" as const,
  expiresAt: DateTime.toDateUtc(DateTime.add(now, { days: 7 }))
})
