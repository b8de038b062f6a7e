import { Context, Effect, Layer } from "effect"
import { Settings } from "../platform/Settings.ts"
import { bucketStore } from "./BucketStore.ts"
import type { FileStorage } from "./FileStorage.ts"
import { folderStore } from "./FolderStore.ts"
import { storeFolders } from "./StoreFolders.ts"
import { UploadBucket } from "./UploadBucket.ts"

/**
 * Files under UPLOAD_DIR, or in the bucket of UPLOAD_URL, each encrypted as a stream (FileSeal.ts). A file appears only
 * when it is complete. Memory use does not depend on the file's size.
 */
export class FileStore extends Context.Service<FileStore, FileStorage>()("vrss/services/document/FileStore") {
  static readonly layer = Layer.effect(
    FileStore,
    Effect.gen(function*() {
      const { sweepLimitPercent, uploadDirectory } = yield* Settings
      const bucket = yield* UploadBucket
      const folders = storeFolders(uploadDirectory)
      return bucket === undefined
        ? folderStore(folders, sweepLimitPercent)
        : yield* bucketStore(bucket, folders, sweepLimitPercent)
    })
  ).pipe(Layer.provide(UploadBucket.layer))
}
