import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { inject } from "vitest"
import { runtimePool } from "../../../src/layers/Database.ts"
import { noticeSweep } from "../../../src/services/mail/NoticeSweep.ts"
import { OwnConnections } from "../../../src/sql/Connections.ts"
import { clusterConnection, type TestDatabase } from "../../support/Database.ts"

/** Runs the hourly sweep of notices once, as the service's process does. Returns the number of mails. */
export const tellNotices = ({ name }: Pick<TestDatabase, "name">) => {
  const at = clusterConnection(inject("cluster"), "runtime", name)
  const pool = runtimePool(at, { maxConnections: 1, multiplex: false })
  const connections = Layer.effect(OwnConnections, pool).pipe(Layer.provide(Reactivity.layer))
  return Effect.runPromise(
    Effect.flatMap(noticeSweep, ({ run }) => run).pipe(Effect.provide(Layer.fresh(connections)))
  )
}
