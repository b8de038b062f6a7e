import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { Count, Instant, Text } from "./Scalars.ts"

/** What an app sends to open a SMART Health Link (HL7 SMART Health Links STU1, "Manifest request"). */
export const ManifestRequest = Schema.Struct({
  recipient: Text(4096).annotate({ description: "Who uses the app; the veteran is told the first 200 characters" }),
  passcode: Schema.optional(Schema.String.annotate({ description: "The code that was mailed to the recipient" })),
  embeddedLengthMax: Schema.optional(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "The longest file, in characters of its JWE, that the answer may contain"
    })
  )
}).annotate({ identifier: "ShlManifestRequest" })

export type ManifestRequest = typeof ManifestRequest.Type

const file = {
  contentType: Schema.Literal("application/fhir+json"),
  fhirVersion: Schema.Literal("4.0.1"),
  status: Schema.Literal("finalized"),
  lastUpdated: Instant
}

/** The one file of a link: a compact JWE, or the address where it can be had once. */
export const ShlManifest = Schema.Struct({
  files: Schema.Array(Schema.Union([
    Schema.Struct({ ...file, embedded: Schema.String.annotate({ description: "The file as a compact JWE" }) }),
    Schema.Struct({
      ...file,
      location: Schema.String.annotate({ format: "uri", description: "Gives the file once, within 5 minutes" })
    })
  ]))
}).annotate({ identifier: "ShlManifest" })

/** No code was sent, or a wrong one. Readers of SMART Health Links know no other refusal besides 404. */
export class PasscodeInvalid extends ApiError<PasscodeInvalid>()("PasscodeInvalid", {
  code: "otp_invalid",
  status: 401,
  message: "The code is wrong, used or expired.",
  fields: { remainingAttempts: Count.annotate({ description: "Wrong codes until the link is disabled" }) }
}) {}
