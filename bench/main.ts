import { Effect } from "effect"
import { oauthSecret } from "../test/http/fhir/Apps.ts"
import { open } from "./Bench.ts"
import { benchBystanders } from "./bystanders.ts"
import { benchCrowd } from "./crowd.ts"
import { benchDocuments } from "./documents.ts"
import { benchFhir } from "./fhir.ts"
import { benchLinks } from "./links.ts"
import { benchLoop } from "./loop.ts"
import { benchMe, benchRoundTrips } from "./me.ts"
import { benchPdf } from "./pdf.ts"
import { benchProofRows } from "./proof-rows.ts"
import { benchProofs } from "./proofs.ts"
import { benchReleases } from "./releases.ts"
import { benchRevokes } from "./revokes.ts"
import { benchRoi } from "./roi.ts"
import { benchMemory, benchSync } from "./sync.ts"
import { benchView } from "./view.ts"
import { benchWeb } from "./web.ts"
import { benchWithheld } from "./withheld.ts"

/** Each figure is a ratio to its floor in the same run: on a noisy machine absolute times mean nothing. */
await Effect.runPromise(Effect.gen(function*() {
  console.log("ratio to the floor, median of rounds\n")
  // In a process that has done nothing before.
  yield* Effect.scoped(Effect.flatMap(open(), benchMemory))
  yield* Effect.scoped(Effect.gen(function*() {
    const bench = yield* open()
    yield* benchSync(bench)
    yield* benchView(bench)
    yield* benchMe(bench)
    yield* benchRoundTrips(bench)
    yield* benchRoi(bench)
  }))
  yield* Effect.scoped(Effect.flatMap(open({ OAUTH_JWT_SECRET: oauthSecret }), benchFhir))
  yield* Effect.promise(benchPdf)
  yield* Effect.scoped(Effect.flatMap(open(), benchWithheld))
  yield* Effect.scoped(Effect.flatMap(open(), benchDocuments))
  yield* Effect.scoped(benchLinks)
  yield* Effect.scoped(benchReleases)
  yield* Effect.scoped(Effect.flatMap(open(), benchProofRows))
  yield* Effect.scoped(benchProofs)
  yield* Effect.scoped(benchWeb)
  yield* Effect.scoped(benchLoop)
  yield* Effect.scoped(benchCrowd)
  yield* Effect.scoped(Effect.flatMap(open(), benchRevokes))
  yield* Effect.scoped(benchBystanders)
}))
