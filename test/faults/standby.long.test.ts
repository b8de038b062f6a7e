import { Cause, Context, Effect, Exit, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { appendFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, test } from "vitest"
import { VeteranId } from "../../src/domain/Id.ts"
import { connection } from "../../src/layers/Connection.ts"
import { runtimePool } from "../../src/layers/Database.ts"
import { outageOf } from "../../src/services/platform/Outage.ts"
import { Actors, ActorTransaction } from "../../src/sql/Actor.ts"
import { DatabaseUnavailable } from "../../src/sql/Connections.ts"
import { giveLinks, giveSessions } from "../http/document/Copies.ts"
import { revokeLink, view } from "../http/link/Links.ts"
import { signed } from "../http/release/Releases.ts"
import { call } from "../support/Client.ts"
import { until } from "../support/Until.ts"
import { assertRecovered, openCluster, openGround, openPeople } from "./Ground.ts"

const ground = await openGround()

const primary = ground.cluster

const standby = await openCluster(async (directory) => {
  const superuser = await primary.connect()
  await superuser.query("create role replicator replication login password 'replicator'")
  await superuser.query("select pg_create_physical_replication_slot('standby')")
  await superuser.end()
  // A copy of a server that was shut down cleanly is a base backup.
  await primary.stop("SIGINT")
  await promisify(execFile)("cp", ["-a", join(primary.directory, "data"), join(primary.directory, "passwords.json"),
    directory])
  await primary.start()
  const data = join(directory, "data")
  await writeFile(join(data, "standby.signal"), "")
  await appendFile(
    join(data, "postgresql.auto.conf"),
    `primary_conninfo = 'host=localhost port=${primary.port()} user=replicator password=replicator application_name=standby'
     primary_slot_name = 'standby'\n`
  )
})

const superuser = await primary.connect()

// From now on, a commit waits until the standby has written it to its disk.
await superuser.query("alter system set synchronous_standby_names = 'standby'")

await superuser.query("select pg_reload_conf()")

await until("the standby follows", async () => {
  const { rows } = await superuser.query("select sync_state from pg_stat_replication")
  return rows.length === 1 && rows[0].sync_state === "sync"
})

const people = await openPeople(ground)

const { service, veteran } = people

describe("When the primary is killed and its standby promoted", () => {
  const answered = { revoked: new Set<string>(), viewed: new Set<string>(), entries: new Set<string>() }

  test("while the connection leads to the standby, requests are answered 503, and the log says why", async () => {
    const { document } = await signed(service, veteran)
    const links = await giveLinks(service, superuser, { id: veteran.id, documentId: document.id }, 120)
    const sessions = await giveSessions(service, superuser, links.slice(0, 60))
    const path = "/api/veteran/me/self-reported-entries"
    const traffic = Promise.all([
      ...sessions.map(async (session) => {
        const { status } = await view(service, session).catch(() => ({ status: 0 }))
        if (status === 200) answered.viewed.add(session)
      }),
      ...links.slice(60).map(async (link) => {
        if ((await revokeLink(service, veteran, link)).status === 200) answered.revoked.add(link.id)
        const entry = await call(service, "POST", path, { ...veteran, body: { category: "note", text: link.id } })
        if (entry.status === 201) answered.entries.add(entry.json.id)
      })
    ])
    await until("some of each kind were answered", async () => Object.values(answered).every(({ size }) => size > 5))
    await primary.stop("SIGKILL")
    ground.leadTo(standby)
    await traffic
    const isToldWhy = async () => {
      const { json, status } = await call(service, "GET", "/api/veteran/me", veteran)
      assert.strictEqual(`${status} ${json.error}`, "503 service_unavailable")
      return /read-only|standby/.test(service.output())
    }
    await until("the log says that it is a standby", isToldWhy)
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
  })

  test("a transaction there reads nothing, because the standby may not know yet what was revoked", async () => {
    const at = connection(Redacted.make(standby.url("runtime")), {
      production: false,
      caCertificate: standby.caCertificate
    })
    const reading = Effect.gen(function*() {
      const sql = yield* runtimePool(at, { maxConnections: 1, multiplex: false })
      const actors = Layer.provide(Actors.layer, Layer.succeed(SqlClient.SqlClient, sql))
      const items = ActorTransaction.use((sql) => sql`select from health_record_items`)
      const { withActor } = Context.get(yield* Layer.build(actors), Actors)
      return yield* Effect.exit(withActor({ kind: "veteran", veteranId: VeteranId.make(veteran.id) })(items))
    })
    const exit = await Effect.runPromise(Effect.scoped(Effect.provide(reading, Reactivity.layer)))
    assert.isTrue(Exit.isFailure(exit))
    const error = Cause.squash((exit as Exit.Failure<unknown, unknown>).cause)
    assert.instanceOf(error, DatabaseUnavailable)
    assert.strictEqual(outageOf(error).message, "the database is read-only, as a standby is")
  })

  test("no act that was answered is lost, and the same process serves requests again", async () => {
    const promoting = await standby.connect()
    const { rows } = await promoting.query("select pg_promote() as promoted")
    assert.isTrue(rows[0].promoted)
    await assertRecovered(people, performance.now())
    const ended = await promoting.query("select id from secure_links where status = 'disabled'")
    const entries = await promoting.query("select id from self_reported_entries")
    const ids = ({ rows }: typeof ended) => new Set(rows.map(({ id }) => id))
    assert.isTrue(answered.revoked.isSubsetOf(ids(ended)))
    assert.isTrue(answered.entries.isSubsetOf(ids(entries)))
    for (const session of answered.viewed) {
      assert.strictEqual((await view(service, session)).error, "view_session_used")
    }
    await promoting.end()
  })
})
