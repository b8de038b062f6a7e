import { Context, Effect, Layer } from "effect"
import { Settings } from "../platform/Settings.ts"
import { type Bucket, openBucket } from "./Bucket.ts"

/** The bucket of UPLOAD_URL, or undefined where files lie in UPLOAD_DIR. */
export class UploadBucket
  extends Context.Service<UploadBucket, Bucket | undefined>()("vrss/services/document/UploadBucket")
{
  static readonly layer = Layer.effect(
    UploadBucket,
    Effect.flatMap(Settings, ({ uploadBucket }) =>
      uploadBucket === undefined
        ? Effect.undefined
        : Effect.acquireRelease(Effect.promise(() => openBucket(uploadBucket)), (bucket) => Effect.sync(bucket.close)))
  )
}
