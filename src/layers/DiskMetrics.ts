import { Effect, Layer } from "effect"
import { statfs } from "node:fs/promises"
import { sampleGauge } from "../services/platform/Gauges.ts"
import { startJob } from "../services/platform/Jobs.ts"
import { Settings } from "../services/platform/Settings.ts"

/** Reads the disk's size in the background: on a mounted disk that hangs, reading it must not stop the metrics. */
export const DiskMetrics = Layer.effectDiscard(Effect.gen(function*() {
  const { uploadDirectory } = yield* Settings
  let [available, size]: ReadonlyArray<number | undefined> = []
  const read = Effect.promise(async () => {
    const disk = await statfs(uploadDirectory).catch(() => undefined)
    if (disk === undefined) return
    available = disk.bavail * disk.bsize
    size = disk.blocks * disk.bsize
  })
  yield* startJob({ name: "disk of UPLOAD_DIR", every: "15 seconds", run: read })
  yield* sampleGauge(
    "upload_disk_available_bytes",
    "What may still be written to the disk of UPLOAD_DIR",
    () => available
  )
  yield* sampleGauge("upload_disk_bytes", "Size of the disk of UPLOAD_DIR", () => size)
}))
