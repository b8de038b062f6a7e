import { ConfigProvider, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { join } from "node:path"
import type pg from "pg"
import { assert, inject } from "vitest"
import { runtimePool } from "../../../src/layers/Database.ts"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { forgetting } from "../../../src/services/operation/Forgetting.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { OwnConnections, SessionConnections, SharedConnections } from "../../../src/sql/Connections.ts"
import { SessionLocks } from "../../../src/sql/platform/SessionLocks.ts"
import { asAdmin, call } from "../../support/Client.ts"
import { clusterConnection, type TestDatabase } from "../../support/Database.ts"
import type { signInDevice } from "../../support/Device.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"

/** Helpers of the tests that delete veterans. */

export type Session = Awaited<ReturnType<typeof signInDevice>>

type Target = Pick<Service, "url">

export const deletionPath = "/api/veteran/me/deletion"

export const ask = (service: Target, { headers }: Pick<Session, "headers">, body: unknown = { confirm: "Eagle" }) =>
  call(service, "POST", deletionPath, { headers, body })

export const cancel = (service: Target, { headers }: Pick<Session, "headers">) =>
  call(service, "POST", `${deletionPath}/cancel`, { headers })

/** The operator asks, as for a veteran who has no phone. */
export const askAsOperator = async (service: Target, id: string) => {
  const answer = await call(service, "POST", `/api/admin/veterans/${id}/deletion`, {
    headers: asAdmin,
    body: { reason: "ticket 1" }
  })
  assert.strictEqual(answer.status, 202, answer.text)
}

/** The 72 hours of a deletion pass. */
export const letTimePass = (superuser: pg.Client, id: string) =>
  superuser.query("update veteran_deletions set ends_at = clock_timestamp() where veteran_id = $1", [id])

/** Takes the steps of all deletions that are due, as a process does. Returns how many were forgotten. */
export const forgetNow = ({ name }: Pick<TestDatabase, "name">, { directory }: Pick<Service, "directory">) => {
  const at = clusterConnection(inject("cluster"), "runtime", name)
  const pool = runtimePool(at, { maxConnections: 2, multiplex: false })
  const connections = Layer.mergeAll(
    Layer.effect(SharedConnections, pool),
    Layer.effect(OwnConnections, pool),
    SessionLocks.layer.pipe(Layer.provide(Layer.effect(SessionConnections, pool)))
  ).pipe(Layer.provide(Reactivity.layer))
  const settings = Settings.layer.pipe(Layer.provide(ConfigProvider.layer(
    ConfigProvider.fromUnknown({ APP_ENV: "test", UPLOAD_DIR: join(directory, ".data/uploads") })
  )))
  return Effect.runPromise(
    Effect.flatMap(forgetting, ({ run }) => run).pipe(
      Effect.provide(Layer.fresh(Layer.merge(connections, FileStore.layer.pipe(Layer.provide(settings)))))
    )
  )
}

/** The 72 hours pass, and the veteran is forgotten: here, or by the service, whose turn may come first. */
export const forget = async (
  superuser: pg.Client,
  database: Pick<TestDatabase, "name">,
  service: Pick<Service, "directory">,
  id: string
) => {
  await letTimePass(superuser, id)
  await until("the veteran is forgotten", async () => {
    await forgetNow(database, service)
    return (await superuser.query("select from veteran_deletions where veteran_id = $1", [id])).rowCount === 0
  })
}

/** How many rows each table has of a veteran, without the tables that have none. */
export const rowsOf = async (superuser: pg.Client, id: string): Promise<Record<string, number>> => {
  const { rows: tables } = await superuser.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not a.attisdropped order by 1`
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows: [{ count }] } = await superuser.query(
      `select count(*)::int from ${name} where veteran_id = $1`,
      [id]
    )
    if (count > 0) counts[name] = count
  }
  return counts
}

/** Waits until only the account of disclosures is left. The message about the deletion goes right after its mail. */
export const onlyAccountIsLeft = (superuser: pg.Client, id: string) =>
  until(
    "only the account of disclosures is left",
    async () => `${Object.keys(await rowsOf(superuser, id))}` === "proofs"
  )

/** The tables in which a row has one of the words, as text, as bytes or in JSON. */
export const tablesWith = async (superuser: pg.Client, words: ReadonlyArray<string>) => {
  const { rows: tables } = await superuser.query(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1"
  )
  const found: Array<string> = []
  for (const { name } of tables) {
    for (const word of words) {
      // The text of a row has its bytes in hex.
      const { rowCount } = await superuser.query(
        `select from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0 limit 1`,
        [word, Buffer.from(word).toString("hex")]
      )
      if (rowCount !== 0) found.push(`${name}: ${word}`)
    }
  }
  return found
}
