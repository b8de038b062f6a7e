import { Effect } from "effect"
import { ActingOperator } from "../../sql/operation/AdminActs.ts"

/** Runs an operator's request, so that each of its acts is noted under their key. */
export const underOperator = <A, E, R>(
  operator: { readonly key: string; readonly requestId: string },
  request: Effect.Effect<A, E, R>
) => Effect.provideService(request, ActingOperator, operator)
