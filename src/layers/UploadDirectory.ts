import { Data, Effect, Layer } from "effect"
import { constants, promises as Fs } from "node:fs"
import { Settings } from "../services/platform/Settings.ts"

export class UploadDirectoryUnusable extends Data.TaggedError("UploadDirectoryUnusable") {
  override readonly message = "UPLOAD_DIR names a folder that cannot be made or written to"
}

/** The folder of uploaded files is there and writable before anything is served. */
export const UploadDirectory = Layer.effectDiscard(Effect.gen(function*() {
  const { uploadDirectory } = yield* Settings
  yield* Effect.tryPromise({
    try: async () => {
      await Fs.mkdir(uploadDirectory, { recursive: true, mode: 0o700 })
      await Fs.access(uploadDirectory, constants.W_OK)
    },
    catch: () => new UploadDirectoryUnusable()
  })
}))
