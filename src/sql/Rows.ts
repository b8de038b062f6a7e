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

/** Answers every row of a statement that is a transaction of its own, decoded. */
export const all = <A>(row: Row<A>, statement: Statement) => atEdge(decodeAll(row, statement))

/** Answers the one row that such a statement always has. */
export const one = <A>(row: Row<A>, statement: Statement) => atEdge(decodeOne(row, statement))

/** Answers the row of such a statement that may have none. */
export const option = <A>(row: Row<A>, statement: Statement) => atEdge(decodeOption(row, statement))

/** Answers the row of a key, or none; the statement has a row for each of its keys that there is, and is of one turn (Batched.ts). */
export const optionById = <A extends { readonly id: string }>(
  row: Row<A>,
  statement: (ids: ReadonlyArray<A["id"]>) => Statement
): (id: A["id"]) => Effect.Effect<Option.Option<A>> =>
  batched((ids: ReadonlyArray<A["id"]>) =>
    Effect.map(decodeAll(row, statement(ids)), (rows) => {
      const found = new Map(rows.map((one) => [one.id, one]))
      return ids.map((id) => Option.fromUndefinedOr(found.get(id)))
    })
  )

/** Answers the one row that each request always has; the statement is of one turn, and has the requests and rows in `order`. */
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

/** The same within an actor's transaction. `withActor` closes its edge, because it tries again after a conflict. */
export const asActor = {
  all: <A>(row: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeAll(row, statement(sql))),
  one: <A>(row: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeOne(row, statement(sql))),
  option: <A>(row: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeOption(row, statement(sql)))
}
