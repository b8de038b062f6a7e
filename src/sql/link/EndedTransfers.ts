import { PgClient } from "@effect/sql-pg"
import { Effect, Stream } from "effect"

/**
 * Hears of links and transfers that end, on whichever process, by their ids (LISTEN). The stream fails when the connection
 * is lost, and has nothing of what was told before it began.
 */
export const hearEndedTransfers = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  return Stream.map(Stream.fromQueue(yield* sql.listen("transfers_ended")), ({ payload }) => payload)
})
