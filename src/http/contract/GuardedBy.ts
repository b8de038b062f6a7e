import type { Context } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, type HttpApiMiddleware, OpenApi } from "effect/http-api"
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

/** Names a group in the OpenAPI document, and says what it is for. */
export const described = (title: string, description: string) => OpenApi.annotations({ title, description })

/** Says in the OpenAPI document what an endpoint does, and what must be known of it. */
export const told = (summary: string, description: string) => OpenApi.annotations({ summary, description })
