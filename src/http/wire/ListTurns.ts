import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { RateLimited } from "../../domain/RateLimit.ts"
import { makeKeyedTurns } from "../../services/platform/KeyedTurns.ts"
import { countLimited } from "../../services/platform/RateLimits.ts"

/** Lists that are read at a time for one person. The rest of the database's connections are for others. */
const atOnce = 2

/** Requests of one person for lists that run or wait. A page asks for some ten lists at once. */
const maxRequests = 32

const refused = Effect.suspend(() => {
  countLimited("lists at once")
  return Effect.fail(new RateLimited({ retryAfterSeconds: 1 }))
})

/** Whether an endpoint answers a page of a list, by the cursor that it takes. */
export const isList = ({ method, query }: HttpApiEndpoint.Top) =>
  method === "GET" && query?.ast._tag === "Objects" &&
  query.ast.propertySignatures.some(({ name }) => name === "cursor")

/** Makes the line in which one person's requests for lists wait. What is read by its key waits in no line. */
export const makeListTurns = () => {
  const turns = makeKeyedTurns<string>(atOnce)
  return (person: string) => <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E | RateLimited, R> =>
    Effect.suspend((): Effect.Effect<A, E | RateLimited, R> => {
      if (turns.worksOf(person) >= maxRequests) return refused
      const { inTurn, leave } = turns.enter(person)
      return Effect.ensuring(inTurn(answer), Effect.sync(leave))
    })
}
