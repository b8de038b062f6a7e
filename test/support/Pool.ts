import { Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { runtimePool } from "../../src/layers/Database.ts"
import { clusterConnection, type Role, type TestDatabase } from "./Database.ts"

interface PoolOptions {
  readonly role?: Role
  readonly maxConnections?: number
  readonly multiplex?: boolean
}

/** Connects to a database of the tests as the service does. */
export const poolOf = (
  { name }: Pick<TestDatabase, "name">,
  { maxConnections = 1, multiplex = false, role = "runtime" }: PoolOptions = {}
) => runtimePool(clusterConnection(inject("cluster"), role, name), { maxConnections, multiplex })

export const sqlOf = (...pool: Parameters<typeof poolOf>) =>
  Layer.effect(SqlClient.SqlClient, poolOf(...pool)).pipe(Layer.provide(Reactivity.layer))
