import { Data, Effect, Option } from "effect"
import { randomBytes } from "node:crypto"
import { SharedConnections } from "../../sql/Connections.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import type { Bucket } from "../document/Bucket.ts"
import { BucketRefused } from "../document/BucketErrors.ts"
import { reasonOf } from "../document/BucketProbe.ts"
import { filesIn } from "../document/BucketSweeper.ts"
import { openSealed } from "../document/SealedFile.ts"
import { markName } from "../document/StoreMark.ts"
import { UploadBucket } from "../document/UploadBucket.ts"
import { check, error, errorIf, type Finding, refusal, warningIf } from "./Finding.ts"

class NotAsked extends Data.TaggedError("NotAsked")<{ readonly error: unknown }> {}

const ask = <A>(step: () => Promise<A>) => Effect.tryPromise({ try: step, catch: (error) => new NotAsked({ error }) })

/** The steps of a probe, in their order, and the right of the bucket's policy that each takes. */
const steps = (bucket: Bucket) => {
  const name = `doctor-${randomBytes(8).toString("hex")}`
  const text = randomBytes(2048).toString("hex")
  return [
    ["write", "s3:PutObject", () => bucket.create(name, text)],
    ["read", "s3:GetObject", async () => (await bucket.read(name, 1, 100, undefined)).size === text.length],
    ["list", "s3:ListBucket", async () => (await Array.fromAsync(bucket.objects(name))).flat().length === 1],
    ["list versions of", "s3:ListBucketVersions",
      async () => (await Array.fromAsync(bucket.versions(name))).length > 0],
    ["delete", "s3:DeleteObject", () => bucket.remove(name)]
  ] as const
}

const probe = Effect.fnUntraced(function*(bucket: Bucket) {
  for (const [what, right, step] of steps(bucket)) {
    const found = yield* Effect.result(ask<boolean | void>(step))
    if (found._tag === "Success" && found.success !== false) continue
    const why = found._tag === "Failure" ? reasonOf(found.failure.error) : "answers something else (Unexpected)"
    return [error(
      `The doctor cannot ${what} an object in the bucket of UPLOAD_URL, which ${why}.`,
      "Uploads, downloads, signed releases or the sweep of files fail.",
      `Give the service's user or role the right ${right} on the bucket and its objects (docs/operator.md, "Files in a bucket").`
    )]
  }
  return []
})

/** Days for which a deleted file can be put back, as in a folder. */
const daysInTrash = 7

const rules = Effect.fnUntraced(function*(bucket: Bucket): Effect.fn.Return<ReadonlyArray<Finding>> {
  const versioned = yield* Effect.option(ask(bucket.isVersioned))
  const lifecycle = yield* Effect.option(ask(bucket.lifecycle))
  const [keeps, known] = [versioned._tag === "Some" && versioned.value, lifecycle._tag === "Some"]
  const { deleted, unfinished } = Option.getOrElse(lifecycle, () => ({ deleted: undefined, unfinished: undefined }))
  return [
    ...warningIf(
      !keeps,
      versioned._tag === "None"
        ? "Whether the bucket of UPLOAD_URL keeps versions cannot be read."
        : "The bucket of UPLOAD_URL keeps no versions of objects.",
      "A deleted file cannot be put back, and no file without a row is swept.",
      "Turn versioning on for the bucket, and let the service read it (s3:GetBucketVersioning)."
    ),
    ...warningIf(
      !known,
      "The lifecycle rules of the bucket of UPLOAD_URL cannot be read.",
      "Parts of unfinished uploads and deleted files may stay for ever.",
      "Let the service read them (s3:GetLifecycleConfiguration), or look at them yourself."
    ),
    ...warningIf(
      known && unfinished === undefined,
      "The bucket of UPLOAD_URL has no rule that removes the parts of unfinished uploads.",
      "Each process that is killed while it uploads leaves parts, which are paid for and which no listing shows.",
      "Add a lifecycle rule with AbortIncompleteMultipartUpload after 1 day."
    ),
    ...warningIf(
      known && keeps && (deleted === undefined || deleted < daysInTrash),
      deleted === undefined
        ? "The bucket of UPLOAD_URL has no rule that removes deleted versions."
        : `The bucket of UPLOAD_URL removes deleted versions after ${deleted} days.`,
      deleted === undefined
        ? "Deleted files stay for ever. Their keys are gone, but they are paid for."
        : "A restored database may need files that were deleted before.",
      `Add a lifecycle rule with NoncurrentVersionExpiration after ${daysInTrash} days.`
    )
  ]
})

const look = Effect.gen(function*() {
  const bucket = yield* UploadBucket
  if (bucket === undefined) return []
  const mark = yield* Effect.result(ask(() => bucket.text(markName)))
  if (mark._tag === "Failure") {
    const why = reasonOf(mark.failure.error)
    const code = mark.failure.error instanceof BucketRefused ? mark.failure.error.code : "unknown"
    return [refusal(
      `the bucket of UPLOAD_URL ${why}`,
      /Credential|Access|Signature|Token/.test(code)
        ? "Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or the machine's role, and the bucket's policy."
        : "Correct UPLOAD_URL, AWS_ENDPOINT_URL_S3 and AWS_REGION, or the network to the store.",
      "The service does not start. While it runs, uploads and downloads are answered 503."
    )]
  }
  return [...yield* probe(bucket), ...yield* rules(bucket)]
})

export const bucketCheck = check(
  "upload bucket",
  ["UPLOAD_URL", "AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
  Effect.provide(look, UploadBucket.layer)
)

/** Number of rows in a sample. */
const sampled = 500

/** Looks in the bucket, and in the folder for what is not moved yet, for files that rows need. */
export const missingIn = Effect.fnUntraced(function*(bucket: Bucket, pathOf: (key: string) => string, deep: boolean) {
  const { claimed, keysFrom } = StoredFileRepository.make(yield* SharedConnections)
  const local = (key: string) =>
    Effect.promise(() => openSealed(pathOf(key)).then((file) => file.close().then(() => true), () => false))
  let [looked, missing] = [0, 0]
  for (let from = deep ? "" : randomBytes(16).toString("hex");;) {
    const keys = yield* keysFrom(from, sampled)
    const found = yield* Effect.forEach(
      keys,
      (key) =>
        Effect.map(ask(() => bucket.sizeOf(`${filesIn}${key}`)), (size) => ({ key, isThere: size !== undefined })),
      { concurrency: 16 }
    )
    const away: Array<string> = []
    for (const { isThere, key } of found) if (!isThere && !(yield* local(key))) away.push(key)
    // A row may have been deleted together with its file meanwhile.
    missing += (yield* claimed(away)).length
    looked += keys.length
    if (!deep || keys.length < sampled) break
    from = `${keys.at(-1)!} `
  }
  return errorIf(
    missing > 0,
    `Of ${looked} stored files that were looked for, ${missing} are not in the bucket of UPLOAD_URL.`,
    "Their documents and releases answer 500.",
    "The next sweep puts files back that were deleted within 7 days. Restore the others from the backup of the bucket. " +
      "(--deep looks for all.)"
  )
})
