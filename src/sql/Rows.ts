import { Effect, Option, Schema } from "effect"
import { memoize } from "effect/Function"
import type { SqlClient, SqlError } from "effect/sql"
import { ActorTransaction } from "./Actor.ts"
import { batched } from "./Batched.ts"
import { atEdge } from "./Connections.ts"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

type Row<A> = Schema.ConstraintDecoder<A>

const decodeArray = memoize((row: Row<any>) => Schema.decodeEffect(Schema.Array(row)))

const decodeAll = <A>(row: Row<A>, statement: Statement): Effect.Effect<ReadonlyArray<A>, DecodeError> =>
  Effect.flatMap(statement, decodeArray(row))

const decodeOption = <A>(row: Row<A>, statement: Statement) =>
  Effect.flatMap(
    statement,
    ([first]): Effect.Effect<Option.Option<A>, Schema.SchemaError> =>
      first === undefined ? Effect.succeedNone : Effect.asSome(Schema.decodeEffect(row)(first))
  )

const decodeOne = <A>(row: Row<A>, statement: Statement) =>
  Effect.flatMap(decodeOption(row, statement), Effect.fromOption)

type DecodeError = SqlError.SqlError | Schema.SchemaError

/** Returns every row of a single statement, decoded. */
export const all = <A>(row: Row<A>, statement: Statement) => atEdge(decodeAll(row, statement))

/** Returns the only row of a statement that always has one. */
export const one = <A>(row: Row<A>, statement: Statement) => atEdge(decodeOne(row, statement))

/** Returns the only row of a statement, or None. */
export const option = <A>(row: Row<A>, statement: Statement) => atEdge(decodeOption(row, statement))

/** Returns the row with an id, or None. The ids of one turn of the event loop share a statement (Batched.ts). */
export const optionById = <A extends { readonly id: string }>(
  row: Row<A>,
  statement: (ids: ReadonlyArray<A["id"]>) => Statement
): (id: A["id"]) => Effect.Effect<Option.Option<A>> =>
  batched((ids: ReadonlyArray<A["id"]>) =>
    Effect.map(decodeAll(row, statement(ids)), (rows) => {
      const byId = new Map(rows.map((one) => [one.id, one]))
      return ids.map((id) => Option.fromUndefinedOr(byId.get(id)))
    })
  )

/**
 * Returns the row that answers a request. The requests of one turn of the event loop share a statement (Batched.ts).
 * The statement gets them sorted by `order`, and must return one row for each in the same order.
 */
export const together = <Request, A>(
  row: Row<A>,
  statement: (requests: ReadonlyArray<Request>) => Statement,
  order: (one: Request, other: Request) => number
): (request: Request) => Effect.Effect<A> =>
  batched((requests: ReadonlyArray<Request>) => {
    const ordered = requests.map((request, index) => ({ request, index }))
      .sort((one, other) => order(one.request, other.request))
    return Effect.map(decodeAll(row, statement(ordered.map(({ request }) => request))), (rows) => {
      const answers: Array<A> = []
      ordered.forEach(({ index }, at) => answers[index] = rows[at]!)
      return answers
    })
  })

type Within = (sql: SqlClient.SqlClient) => Statement

/** As above, but in an actor's transaction. There `withActor` turns errors into defects after its retries. */
export const asActor = {
  all: <A>(row: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeAll(row, statement(sql))),
  one: <A>(row: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeOne(row, statement(sql))),
  option: <A>(row: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeOption(row, statement(sql)))
}
