import { join } from "node:path"
import { afterEach, assert, test } from "vitest"
import { beginView, giveSessions, storeCopy } from "../http/document/Copies.ts"
import { createLink, revokeLink } from "../http/link/Links.ts"
import { atEnd, openService } from "../support/App.ts"
import { call } from "../support/Client.ts"
import type { Role } from "../support/Database.ts"
import { describeWith } from "../support/DescribeWith.ts"
import { noPgBouncer, openLimitedPooler } from "../support/PgBouncer.ts"
import { openTcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"
import { assertAway, assertRecovered, assertRevokeCuts, openGround, openPeople } from "./Ground.ts"

const openPooler = async (settings: Parameters<typeof openLimitedPooler>[2]) => {
  const ground = await openGround()
  const superuser = await ground.cluster.connect()
  const pooler = await openLimitedPooler(ground.database, superuser, settings)
  atEnd(pooler.close)
  return { ground, superuser, pooler }
}

const openProcesses = async (
  opened: Awaited<ReturnType<typeof openPooler>>,
  database: Parameters<typeof openService>[0],
  sessions: Record<string, string> = {}
) => {
  const people = await openPeople({ database }, sessions)
  const folder = { UPLOAD_DIR: join(people.service.directory, ".data/uploads") }
  return { ...opened, people, other: await openService(database, { ...sessions, ...folder }) }
}

type Processes = Awaited<ReturnType<typeof openProcesses>>

const testRequests = ({ ground, other, people }: Processes, assertConnections = async () => {}) => {
  test("requests of every kind are answered, even if they arrive at once", async () => {
    for (let round = 0; round < 5; round++) await assertRecovered(people, performance.now())
    await assertConnections()
  })

  test("a revoke in another process cuts a view, so LISTEN works", async () => {
    await assertRevokeCuts(ground, people.service, other, people.veteran)
  })
}

/** The last of these tests ends the superuser's connection. */
const testRestarts = ({ ground, people, pooler }: Processes) => {
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
}

describeWith(noPgBouncer, "Through PgBouncer in session mode", async () => {
  const opened = await openPooler({ pool_mode: "session" })
  const { pooler } = opened
  const proxy = await openTcpProxy(() => Number(new URL(pooler.url("runtime")).port))
  const url = (role: Role) => Object.assign(new URL(pooler.url(role)), { port: `${proxy.port}` }).href
  const processes = await openProcesses(opened, { caCertificate: pooler.caCertificate, url })
  const { people } = processes

  afterEach(() => {
    proxy.speak()
  })

  testRequests(processes)

  test("when PgBouncer falls silent, requests are answered in time, and the pools recover afterwards", async () => {
    proxy.silence()
    await assertAway(people)
    proxy.speak()
    await assertRecovered(people, performance.now())
  })

  testRestarts(processes)
})

describeWith(noPgBouncer, "Through PgBouncer in transaction mode with six connections to the server", async () => {
  const opened = await openPooler({ pool_mode: "transaction", default_pool_size: 6 })
  const { ground, pooler, superuser } = opened
  const direct = await openTcpProxy(ground.cluster.port)
  const processes = await openProcesses(opened, pooler.database, {
    DATABASE_SESSION_URL: Object.assign(new URL(ground.database.url("runtime")), { port: `${direct.port}` }).href
  })
  const { other, people } = processes
  const { service, veteran } = people

  /** The processes of PostgreSQL that serve the pooler for the runtime role. */
  const connections = async () => {
    const servers = await pooler.command("SHOW SERVERS")
    return new Set(servers.filter(({ user }) => user === "vrss_app").map((server) => server["remote_pid"]))
  }

  afterEach(() => {
    direct.speak()
  })

  testRequests(processes, async () => {
    const { rows: [{ all }] } = await superuser.query(
      "select count(*)::int as all from pg_stat_activity where usename = 'vrss_app'"
    )
    // Two processes have two connections each past the pooler.
    assert.isAtMost(all, 6 + 4)
    const { size } = await connections()
    assert.isTrue(size > 0 && size <= 6, `${size}`)
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
      // One that was about to begin may be cut before its head.
      return (await beginView(service, session!).catch(() => ({ status: undefined }))).status
    }
    await until("no view begins", async () => await begins() === 503)
    assert.isFalse((await begun.rest()).complete)
    direct.speak()
    await until("a view begins again", async () => await begins() === 200)
  })

  test("RECONNECT, which replaces the server's connections, fails no request", async () => {
    const before = await connections()
    const load = { runs: true }
    const reading = Promise.all(Array.from({ length: 8 }, async () => {
      const statuses = new Set<number>()
      while (load.runs) {
        statuses.add((await call(service, "GET", "/api/veteran/me", { headers: veteran.headers })).status)
      }
      return [...statuses]
    }))
    await pooler.command("RECONNECT")
    await until("each connection is a new one", async () => {
      const now = await connections()
      return now.size > 0 && [...now].every((pid) => !before.has(pid))
    }).finally(() => load.runs = false)
    // A fast machine meets the limit of 600 requests a minute.
    for (const statuses of await reading) assert.isEmpty(statuses.filter((status) => status !== 200 && status !== 429))
    await assertRecovered(people, performance.now())
  })

  testRestarts(processes)
})
