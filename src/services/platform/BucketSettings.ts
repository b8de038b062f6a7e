import type { Redacted } from "effect"
import type { BucketPlace } from "./UploadUrl.ts"
import type { Name, Values } from "./Variables.ts"

/** Where files are stored if not in UPLOAD_DIR, and how to get there. */
export interface BucketSettings {
  readonly place: BucketPlace
  /** With undefined, the store is Amazon's. */
  readonly endpoint: string | undefined
  /** With undefined, the SDK takes the region of the machine's profile. */
  readonly region: string | undefined
  /** With undefined, the SDK takes what the machine has: a role, or a profile. */
  readonly credentials: {
    readonly accessKeyId: Redacted.Redacted
    readonly secretAccessKey: Redacted.Redacted
    readonly sessionToken: Redacted.Redacted | undefined
  } | undefined
}

/** These belong to the bucket. Without UPLOAD_URL they are not the service's, and nothing is said about them. */
export const bucketNames: ReadonlyArray<Name> = [
  "AWS_ENDPOINT_URL_S3",
  "AWS_REGION",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN"
]

export const bucketProblems = (has: (name: Name) => boolean) => [
  ...has("AWS_ACCESS_KEY_ID") === has("AWS_SECRET_ACCESS_KEY")
    ? []
    : ["AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together or not at all"],
  ...has("AWS_SESSION_TOKEN") && !has("AWS_ACCESS_KEY_ID")
    ? ["AWS_SESSION_TOKEN needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"]
    : []
]

export const bucketSettings = (values: Values): BucketSettings | undefined => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION, UPLOAD_URL: place } = values
  const { AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = values
  return place && {
    place,
    endpoint,
    // Other stores have no regions, but each request is signed for one.
    region: AWS_REGION ?? (endpoint === undefined ? undefined : "us-east-1"),
    credentials: accessKeyId && secretAccessKey && { accessKeyId, secretAccessKey, sessionToken }
  }
}
