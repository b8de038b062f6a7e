import { Layer } from "effect"
import { DisclosuresHandlers } from "./DisclosureHandlers.ts"
import { DisclosureProofHandlers, DrainerHandlers, ProofsHandlers } from "./ProofHandlers.ts"

export const LedgerRoutes = Layer.mergeAll(
  DisclosuresHandlers,
  DisclosureProofHandlers,
  DrainerHandlers,
  ProofsHandlers
)
