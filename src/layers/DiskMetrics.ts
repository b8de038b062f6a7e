import { Effect, Layer, Schedule } from "effect"
import { statfs } from "node:fs/promises"
import { sampleGauge } from "../services/platform/Gauges.ts"
import { Settings } from "../services/platform/Settings.ts"

/** Reads the disk's size in the background: on a mounted disk that hangs, reading it must not stop the metrics. */
export const DiskMetrics = Layer.effectDiscard(Effect.gen(function*() {
  const { uploadDirectory } = yield* Settings
  let [available, size]: ReadonlyArray<number | undefined> = []
  yield* Effect.promise(() => statfs(uploadDirectory).catch(() => undefined)).pipe(
    Effect.tap((disk) =>
      Effect.sync(() => {
        if (disk === undefined) return
        available = disk.bavail * disk.bsize
        size = disk.blocks * disk.bsize
      })
    ),
    Effect.repeat(Schedule.spaced("15 seconds")),
    Effect.forkScoped
  )
  yield* sampleGauge(
    "upload_disk_available_bytes",
    "What may still be written to the disk of UPLOAD_DIR",
    () => available
  )
  yield* sampleGauge("upload_disk_bytes", "Size of the disk of UPLOAD_DIR", () => size)
}))
