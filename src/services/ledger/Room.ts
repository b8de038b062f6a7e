import { Layer } from "effect"
import { Disclosures } from "./Disclosures.ts"
import { ProofDrainer } from "./ProofDrainer.ts"
import { Proofs } from "./Proofs.ts"

export const LedgerLayer = Layer.mergeAll(Disclosures.layer, ProofDrainer.layer, Proofs.layer)
