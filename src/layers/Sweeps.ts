import { Effect, Layer } from "effect"
import { fileSweep } from "../services/document/FileSweep.ts"
import { UploadBucket } from "../services/document/UploadBucket.ts"
import { noticeSweep } from "../services/mail/NoticeSweep.ts"
import { forgetting } from "../services/operation/Forgetting.ts"
import { startJob } from "../services/platform/Jobs.ts"
import { rowJobs } from "../services/platform/Sweeper.ts"
import { releaseRetention } from "../services/release/ReleaseRetention.ts"

/** The rooms' jobs by which data is deleted or marked after its time. */
export const Sweeps = Layer.effectDiscard(Effect.gen(function*() {
  const ofRooms = yield* Effect.all([releaseRetention, noticeSweep, forgetting, fileSweep])
  yield* Effect.forEach([...yield* rowJobs, ...ofRooms], startJob, { discard: true })
})).pipe(Layer.provide(UploadBucket.layer))
