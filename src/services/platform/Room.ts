import { Layer } from "effect"
import { Crypto } from "./Crypto.ts"
import { Paging } from "./Paging.ts"
import { RateLimits } from "./RateLimits.ts"
import { StorageLimits } from "./StorageLimits.ts"
import { Turns } from "./Turns.ts"

/** What every room may use. The service's settings and its log are made before. */
export const PlatformLayer = Layer.mergeAll(Paging.layer, RateLimits.layer, StorageLimits.layer, Turns.layer).pipe(
  Layer.provideMerge(Crypto.layer)
)
