import { join } from "node:path"
import { afterEach, test } from "vitest"
import { atEnd, openService } from "../support/App.ts"
import type { Role } from "../support/Database.ts"
import { describeWith } from "../support/DescribeWith.ts"
import { noPgBouncer, openPgBouncer } from "../support/PgBouncer.ts"
import { openTcpProxy } from "../support/TcpProxy.ts"
import { assertAway, assertRecovered, assertRevokeCuts, openGround, openPeople } from "./Ground.ts"

describeWith(noPgBouncer, "Through PgBouncer in session mode", async () => {
  const ground = await openGround()
  const superuser = await ground.cluster.connect()
  // docs/operator.md sets these limits for the role.
  const limits = {
    client_connection_check_interval: "2s",
    idle_in_transaction_session_timeout: "15s",
    statement_timeout: "30s",
    lock_timeout: "10s"
  }
  for (const [name, value] of Object.entries(limits)) {
    await superuser.query(`alter role vrss_app set ${name} = '${value}'`)
  }
  await superuser.end()
  const pooler = await openPgBouncer(ground.database, {
    pool_mode: "session",
    ignore_startup_parameters: Object.keys(limits).join(", "),
    server_login_retry: 1,
    server_connect_timeout: 3
  })
  atEnd(pooler.close)
  const proxy = await openTcpProxy(() => Number(new URL(pooler.url("runtime")).port))
  const url = (role: Role) => Object.assign(new URL(pooler.url(role)), { port: `${proxy.port}` }).href
  const database = { caCertificate: pooler.caCertificate, url }
  const people = await openPeople({ database })
  const { service, veteran } = people
  const other = await openService(database, { UPLOAD_DIR: join(service.directory, ".data/uploads") })

  afterEach(() => {
    proxy.speak()
  })

  test("requests of every kind are answered, even if they arrive at once", async () => {
    for (let round = 0; round < 5; round++) await assertRecovered(people, performance.now())
  })

  test("a revoke in another process cuts a view, so LISTEN works", async () => {
    await assertRevokeCuts(ground, service, other, veteran)
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

  test("when PgBouncer falls silent, requests are answered in time, and the pools recover afterwards", async () => {
    proxy.silence()
    await assertAway(people)
    proxy.speak()
    await assertRecovered(people, performance.now())
  })
})
