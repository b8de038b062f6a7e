import { DateTime } from "effect"
import { statementsVersion } from "../domain/ReleaseStatements.ts"

/** The release that the demo's veteran signs: all synchronised types, for thirty days, to one recipient. */
export const demoRelease = (types: ReadonlyArray<string>, email: string, now: DateTime.DateTime) => ({
  veteran: { fullName: "Eagle One", dateOfBirth: "1962-03-04" },
  information: { resourceTypes: types },
  disclosingParty: { name: "Veteran Records Sharing Service" },
  recipient: { name: "Dr. Ada Gray", organization: "Demo Clinic", email },
  purpose: { code: "treatment" as const },
  expiration: { date: DateTime.formatIsoDateUtc(DateTime.add(now, { days: 30 })) },
  statementsVersion: statementsVersion as typeof statementsVersion,
  statementsAccepted: true as const,
  signature: { typedName: "Eagle One", consentToElectronicSignature: true as const, signerRole: "veteran" as const },
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
