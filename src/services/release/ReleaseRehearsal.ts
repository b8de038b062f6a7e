import { DocumentId } from "../../domain/Id.ts"
import { statementsVersion } from "../../domain/ReleaseStatements.ts"
import { writePreview } from "./ReleaseDocument.ts"
import { type DraftAuthorization, unknownEntry } from "./SignedAuthorization.ts"

const instant = "2026-01-01T00:00:00.000Z"

const resourceTypes = ["Condition"]

const authorization: DraftAuthorization = {
  documentId: DocumentId.make("00000000-0000-4000-8000-000000000000"),
  signedAt: instant,
  endsAt: instant,
  veteran: { fullName: "Nobody", dateOfBirth: "2000-01-01" },
  information: { resourceTypes, dateFrom: null, dateTo: null, documents: [] },
  disclosingParty: { name: "Nobody" },
  recipient: { name: "Nobody", email: "nobody@example.com" },
  purpose: { code: "treatment" },
  expiration: { date: "2026-01-01" },
  statementsVersion,
  sensitiveCategories: [],
  incompleteRecordConfirmed: false,
  supersedes: null,
  record: resourceTypes.map((resourceType) => ({ resourceType, ...unknownEntry }))
}

const nothing = {
  entries: [],
  text: () => Promise.resolve(""),
  bundle: async function*() {},
  undated: 0,
  isOfAnother: false,
  died: null
}

/**
 * Lays out a preview of nothing, so that fonts are read and code is compiled before the first work comes. It takes
 * 130 ms of processor time in a new process, which the first release would otherwise take.
 */
export const rehearse = () => writePreview(authorization, nothing, () => Promise.resolve())
