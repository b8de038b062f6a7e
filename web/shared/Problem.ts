import { Effect, Option, Schema } from "effect"
import { HttpClientError } from "effect/http"

/** Why a call failed. */
export class Problem extends Schema.Class<Problem>("Problem")({
  /**
   * A code of the contract (part 1). `unreachable` means that there was no answer, or none that the page understands.
   */
  error: Schema.String,
  /** The service's own words, for a code whose words depend on the case. */
  message: Schema.optional(Schema.String),
  requestId: Schema.optional(Schema.String),
  retryAfterSeconds: Schema.optional(Schema.Finite),
  attemptsLeft: Schema.optional(Schema.Finite),
  /** The parts of a request that were refused. */
  issues: Schema.optional(Schema.Array(Schema.Struct({
    path: Schema.Array(Schema.Union([Schema.String, Schema.Finite]))
  })))
}) {}

const decode = Schema.decodeUnknownOption(Problem)

const unreachable = Problem.make({ error: "unreachable" })

/** Errors that an endpoint declares arrive as the contract's classes. For any other status, the body is decoded. */
export const problemOf = (error: unknown): Effect.Effect<Problem> => {
  const named = decode(error)
  if (Option.isSome(named)) return Effect.succeed(named.value)
  if (!HttpClientError.isHttpClientError(error) || error.response === undefined) return Effect.succeed(unreachable)
  return error.response.json.pipe(
    Effect.map((body) => Option.getOrElse(decode(body), () => unreachable)),
    Effect.orElseSucceed(() => unreachable)
  )
}

/** Fails with a `Problem` in place of every other failure. */
export const orProblem = <A>(call: Effect.Effect<A, unknown>): Effect.Effect<A, Problem> =>
  Effect.catch(call, (error) => Effect.flatMap(problemOf(error), Effect.fail))
