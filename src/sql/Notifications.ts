import { PgClient } from "@effect/sql-pg"
import { Effect, Stream } from "effect"

/** The ids of links and transfers that end, on whichever process; it fails when the connection is lost. */
export const transfersEnded = Stream.unwrap(Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  return Stream.fromQueue(yield* sql.listen("transfers_ended"))
})).pipe(Stream.map(({ payload }) => payload))
