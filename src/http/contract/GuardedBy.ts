import type { Context } from "effect"
import type { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { Availability } from "./Authorization.ts"
import { QueryAndBody } from "./RequestLimits.ts"

/**
 * The middleware of nearly every group. A request passes `Availability` first, which answers 503 if a dependency cannot
 * be reached, then `guard`, which says who may call or how often, and then the limits of its query and body.
 */
export const guardedBy =
  <I extends HttpApiMiddleware.AnyId, S>(guard: Context.Key<I, S>) =>
  <Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
    group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
  ) => group.middleware(QueryAndBody).middleware(guard).middleware(Availability)
