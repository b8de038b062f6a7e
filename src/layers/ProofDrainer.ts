import { Effect, Layer, Schedule } from "effect"
import * as Ledger from "../services/ledger/ProofDrainer.ts"

/** Makes the events of the last minute leaves of the tree (specification: every 60 seconds). */
export const ProofDrainer = Layer.effectDiscard(
  Effect.flatMap(
    Ledger.ProofDrainer,
    ({ run }) => run.pipe(Effect.repeat(Schedule.spaced("60 seconds")), Effect.forkScoped)
  )
)
