import { join } from "node:path"
import { afterEach, assert, describe, test } from "vitest"
import { beginView, giveSessions, storeCopy } from "../http/document/Copies.ts"
import { createLink, revokeLink } from "../http/link/Links.ts"
import { atEnd, openService } from "../support/App.ts"
import { noPgBouncer, openTransactionPooler } from "../support/PgBouncer.ts"
import { openTcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"
import { assertAway, assertRecovered, assertRevokeCuts, openGround, openPeople } from "./Ground.ts"

describe.skipIf(noPgBouncer)("Through PgBouncer in transaction mode with six connections to the server", async () => {
  const ground = await openGround()
  const superuser = await ground.cluster.connect()
  const pooler = await openTransactionPooler(ground.database, superuser)
  const { database } = pooler
  atEnd(pooler.close)
  const direct = await openTcpProxy(ground.cluster.port)
  const sessions = {
    DATABASE_SESSION_URL: Object.assign(new URL(ground.database.url("runtime")), { port: `${direct.port}` }).href
  }
  const people = await openPeople(pooler, sessions)
  const { service, veteran } = people
  const other = await openService(database, { ...sessions, UPLOAD_DIR: join(service.directory, ".data/uploads") })

  afterEach(() => {
    direct.speak()
  })

  test("requests of every kind are answered, even if they arrive at once", async () => {
    for (let round = 0; round < 5; round++) await assertRecovered(people, performance.now())
    const { rows: [{ pooled }] } = await superuser.query(
      "select count(*)::int as pooled from pg_stat_activity where usename = 'vrss_app' and application_name <> 'vrss'"
    )
    assert.isAtMost(pooled, 6)
  })

  test("a revoke in another process cuts a view, so LISTEN works", async () => {
    await assertRevokeCuts(ground, service, other, veteran)
  })

  test("while the process hears nothing, none begins a view and a running one ends, though the pooler answers", async () => {
    const link = await createLink(other, veteran)
    await storeCopy(service, superuser, link.documentId, 24 * 1024 * 1024)
    const second = await createLink(other, veteran)
    const [running] = await giveSessions(service, superuser, [link])
    const begun = await beginView(service, running!)
    await begun.receive(200_000)
    direct.silence()
    assert.strictEqual((await revokeLink(other, veteran, link)).status, 200)
    const begins = async () => {
      const [session] = await giveSessions(service, superuser, [second])
      return (await beginView(service, session!)).status
    }
    await until("no view begins", async () => await begins() === 503)
    assert.isFalse((await begun.rest()).complete)
    direct.speak()
    await until("a view begins again", async () => await begins() === 200)
  })

  test("when PgBouncer is killed and started again, the pools recover", async () => {
    await pooler.kill()
    await assertAway(people)
    await pooler.start()
    await assertRecovered(people, performance.now())
  })

  test("when PostgreSQL is killed and started again, the pools recover", async () => {
    await ground.cluster.stop("SIGKILL")
    await assertAway(people)
    await ground.cluster.start()
    await assertRecovered(people, performance.now())
  })
})
