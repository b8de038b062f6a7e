import { Layer } from "effect"
import { ConsentGrants } from "./ConsentGrants.ts"
import { Sharings } from "./Sharings.ts"

export const ConsentLayer = Layer.mergeAll(ConsentGrants.layer, Sharings.layer)
