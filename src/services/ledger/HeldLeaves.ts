import { Effect, Layer } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { sampleGauge } from "../platform/Gauges.ts"
import { startJob } from "../platform/Jobs.ts"

/** Leaves that one statement compares. It reads an index only, so a hundred thousand take some 20 ms. */
const part = 100_000

/** How many leaves of the tree have no row in the account of disclosures, which is none unless rows were removed. */
export const missingRows = (tree: ReturnType<typeof TreeRepository.make>, pause?: Effect.Effect<void>) =>
  Effect.gen(function*() {
    let missing = 0
    for (let first = 0;; first += part) {
      const { expected, held } = yield* tree.held(first, part)
      missing += expected - held
      if (expected < part) return missing
      if (pause !== undefined) yield* pause
    }
  })

/** Compares the rows of the account with the tree every ten minutes, a part at a time. */
export const HeldLeaves = Layer.effectDiscard(Effect.gen(function*() {
  const tree = TreeRepository.make(yield* SharedConnections)
  let missing: number | undefined
  yield* sampleGauge(
    "proof_rows_missing",
    "Leaves of the tree that have no row in the account of disclosures",
    () => missing
  )
  const compare = missingRows(tree, Effect.sleep("1 second"))
  const run = Effect.tap(compare, (found) => Effect.sync(() => missing = found))
  yield* startJob({ name: "rows of the account of disclosures", every: "10 minutes", run })
}))
