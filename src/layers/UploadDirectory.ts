import { Effect, Layer } from "effect"
import * as Fs from "node:fs/promises"
import { makeMark } from "../services/document/StoreMark.ts"
import { checkUploadDirectory, onDisk } from "../services/document/UploadDirectory.ts"
import { Settings } from "../services/platform/Settings.ts"

/** Before anything is served, ensures that the folder of uploads exists, is writable and belongs to this database. */
export const UploadDirectory = Layer.effectDiscard(Effect.gen(function*() {
  const { production, uploadDirectory } = yield* Settings
  // In production no folder is created: if the disk is not mounted, the service would mistake the new folder for it.
  if (!production) yield* onDisk(() => Fs.mkdir(uploadDirectory, { recursive: true, mode: 0o700 }))
  const { holds, id } = yield* checkUploadDirectory(uploadDirectory, production)
  if (holds === "mark") return
  yield* onDisk(() => makeMark(uploadDirectory, id))
  // Another process that started at the same time may have made the mark first.
  yield* checkUploadDirectory(uploadDirectory, production)
}))
