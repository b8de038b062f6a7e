import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, String } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { NoticeSweep } from "../../../src/services/mail/NoticeSweep.ts"
import { OwnConnections } from "../../../src/sql/Connections.ts"
import { clusterConnection, type TestDatabase } from "../../support/Database.ts"

/** Runs the hourly sweep of notices once, as the service's process does. Returns the number of mails. */
export const tellNotices = ({ name }: Pick<TestDatabase, "name">) => {
  const { user, ...at } = clusterConnection(inject("cluster"), "runtime", name)
  const connections = Layer.effect(OwnConnections, SqlClient.SqlClient).pipe(
    Layer.provide(PgClient.layer({
      ...at,
      username: user,
      maxConnections: 1,
      transformResultNames: String.snakeToCamel,
      transformQueryNames: String.camelToSnake
    })),
    Layer.provide(Reactivity.layer)
  )
  return Effect.runPromise(
    Effect.flatMap(NoticeSweep, ({ tell }) => tell).pipe(
      Effect.provide(Layer.fresh(NoticeSweep.layer.pipe(Layer.provide(connections))))
    )
  )
}
