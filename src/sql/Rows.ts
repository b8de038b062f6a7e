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

const decodeValue = <A>(type: Row<A>, statement: Statement) =>
  Effect.flatMap(statement, ([row]) => Schema.decodeEffect(type)(Object.values(row as object)[0]))

const decodeValues = <A>(type: Row<A>, statement: Statement) =>
  Effect.flatMap(statement, (rows) => decodeArray(type)(rows.map((row) => Object.values(row as object)[0])))

type DecodeError = SqlError.SqlError | Schema.SchemaError

/** Returns every row of a single statement, decoded. */
export const all = <A>(row: Row<A>, statement: Statement) => atEdge(decodeAll(row, statement))

/** Returns the only row of a statement that always has one. */
export const one = <A>(row: Row<A>, statement: Statement) => atEdge(decodeOne(row, statement))

/** Returns the only value of a statement that always has one row, of one column. */
export const value = <A>(type: Row<A>, statement: Statement) => atEdge(decodeValue(type, statement))

/** Returns the values of a statement whose rows have one column. */
export const values = <A>(type: Row<A>, statement: Statement) => atEdge(decodeValues(type, statement))

/** Returns the only row of a statement, or None. */
export const option = <A>(row: Row<A>, statement: Statement) => atEdge(decodeOption(row, statement))

/**
 * Returns the row that answers a request, or None. The requests of one turn of the event loop share a statement
 * (Batched.ts). Each of its rows has the `place` of its request in the list, which counts from 1.
 */
export const optionTogether = <Request, A extends { readonly place: number }>(
  row: Row<A>,
  statement: (requests: ReadonlyArray<Request>) => Statement
): (request: Request) => Effect.Effect<Option.Option<A>> =>
  batched((requests: ReadonlyArray<Request>) =>
    Effect.map(decodeAll(row, statement(requests)), (rows) => {
      const byPlace = new Map(rows.map((one) => [one.place, one]))
      return requests.map((_, index) => Option.fromUndefinedOr(byPlace.get(index + 1)))
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
  value: <A>(type: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeValue(type, statement(sql))),
  values: <A>(type: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeValues(type, statement(sql))),
  option: <A>(row: Row<A>, statement: Within) => ActorTransaction.use((sql) => decodeOption(row, statement(sql)))
}
