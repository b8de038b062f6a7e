import { Effect, Layer, Schedule } from "effect"
import * as Ledger from "../services/ledger/ProofDrainer.ts"

/** Adds new events to the Merkle tree as leaves, every 60 seconds (specification). */
export const ProofDrainer = Layer.effectDiscard(
  Effect.flatMap(
    Ledger.ProofDrainer,
    ({ run }) => run.pipe(Effect.repeat(Schedule.spaced("60 seconds")), Effect.forkScoped)
  )
)
