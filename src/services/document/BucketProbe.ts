import { Effect } from "effect"
import type { Bucket } from "./Bucket.ts"
import { BucketRefused } from "./BucketErrors.ts"
import { markName } from "./StoreMark.ts"

/** Why a bucket refuses, in the protocol's own words and in ours. They hold no key and no address. */
const reasons: Record<string, string> = {
  AccessDenied: "refuses these credentials",
  CredentialsProviderError: "has no credentials here: neither AWS_ACCESS_KEY_ID nor a role of the machine",
  ExpiredToken: "refuses credentials that have expired",
  InvalidAccessKeyId: "does not know AWS_ACCESS_KEY_ID",
  NoSuchBucket: "does not exist",
  RequestTimeTooSkewed: "refuses this machine's clock",
  SignatureDoesNotMatch: "refuses the signature: AWS_SECRET_ACCESS_KEY is wrong, or the clock"
}

/** Returns the rest of a sentence about the bucket. */
export const reasonOf = (error: unknown) => {
  const code = error instanceof BucketRefused ? error.code : "failed"
  return `${reasons[code] ?? "is out of reach"} (${code})`
}

/** Reads the bucket's mark. Nothing is written: in a bucket with versions each probe would stay for days. */
export const probeBucket = (bucket: Bucket): Effect.Effect<void, string> =>
  Effect.tryPromise({
    try: () => bucket.text(markName),
    catch: (error) => `the bucket of UPLOAD_URL ${reasonOf(error)}`
  }).pipe(
    Effect.filterOrFail((mark) => mark !== undefined, () => `the bucket of UPLOAD_URL has no ${markName}`),
    Effect.asVoid
  )
