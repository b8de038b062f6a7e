import type { Context } from "effect"
import type { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { Availability } from "./Authorization.ts"
import { QueryAndBody } from "./RequestLimits.ts"

/**
 * The middleware of nearly every group. `Availability` comes first and answers 503 if a dependency cannot be reached.
 * Then `guard` says who may call or how often. The limits of query and body come last.
 */
export const guardedBy =
  <I extends HttpApiMiddleware.AnyId, S>(guard: Context.Key<I, S>) =>
  <Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
    group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
  ) => group.middleware(QueryAndBody).middleware(guard).middleware(Availability)
