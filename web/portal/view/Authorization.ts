import { Schema } from "effect"
import { alerts } from "../../../src/domain/Alert.ts"
import { FetchStatus, SyncState } from "../../../src/domain/SyncState.ts"
import type { About } from "../../shared/record/Messages.ts"

const text = Schema.NullOr(Schema.String)

/** Text that names a moment. The words of a date cannot be made of other text. */
const moment = Schema.String.check(
  Schema.makeFilter((text: string) => !Number.isNaN(Date.parse(text)) || "Expected a date and time")
)

/** The part of `authorization.json` that the record's view shows. It comes from a PDF, so nothing in it is sure. */
const Signed = Schema.Struct({
  veteran: Schema.Struct({ fullName: Schema.String, dateOfBirth: Schema.String }),
  information: Schema.Struct({
    dateFrom: text,
    dateTo: text,
    documents: Schema.Array(Schema.Struct({ title: Schema.String }))
  }),
  signedAt: moment,
  endsAt: moment,
  record: Schema.Array(Schema.Struct({
    resourceType: Schema.String,
    state: SyncState,
    lastFetch: Schema.NullOr(FetchStatus),
    itemCount: Schema.Finite,
    lastFetchAt: Schema.NullOr(moment),
    lastCompleteAt: Schema.NullOr(moment)
  }))
})

export type Authorization = typeof Signed.Type

/** Throws if the bytes are no authorization. */
export const authorizationIn = (bytes: Uint8Array): Authorization =>
  Schema.decodeUnknownSync(Signed)(JSON.parse(new TextDecoder().decode(bytes)))

/**
 * What the record's view needs to know beside the items: how complete each type was at signing. A release has no
 * entries, notes and documents of the portal.
 */
export const aboutOf = ({ endsAt, information: { dateFrom, dateTo }, record, veteran }: Authorization): About => ({
  callSign: veteran.fullName,
  purpose: "",
  expiresAt: endsAt,
  alerts: alerts(Object.fromEntries(record.flatMap(({ lastFetch, resourceType, ...entry }) =>
    lastFetch === null
      ? []
      : [[resourceType, { ...entry, lastFetch, lastFetchAt: unused, lastCompleteAt: null }]]
  ))).map(({ code, resourceType }) => ({ code, resourceType, lastCompleteAt: null })),
  since: null,
  isRelease: true,
  isOfRange: dateFrom !== null || dateTo !== null,
  sections: record,
  selfReported: [],
  notes: [],
  documents: []
})

const unused = new Date(0)
