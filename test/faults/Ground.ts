import { Effect, Exit, Layer, Scope } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { assert } from "vitest"
import { forPg } from "../../src/layers/Connection.ts"
import { type Cluster, EmbeddedPostgres } from "../../src/postgres/EmbeddedPostgres.ts"
import { isAlive } from "../../src/postgres/FolderLock.ts"
import { beginView, giveSessions, storeCopy } from "../http/document/Copies.ts"
import { createLink, revokeLink } from "../http/link/Links.ts"
import { atEnd, openFolder, openService } from "../support/App.ts"
import { call, giveGrant, type SignedIn, signInProvider, signInVeteran, withExchangeSecret } from "../support/Client.ts"
import { clusterConnection, type Role } from "../support/Database.ts"
import type { Service } from "../support/Service.ts"
import { resource, syncBody } from "../support/Sync.ts"
import { openTcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"

/** Starts a PostgreSQL that the tests of one file may stop, kill and start. `prepare` fills its folder first. */
export const openCluster = async (prepare = async (_directory: string) => {}) => {
  const directory = await openFolder()
  await prepare(directory)
  let scope: Scope.Closeable
  let cluster: Cluster
  const start = async () => {
    scope = Scope.makeUnsafe()
    const context = await Effect.runPromise(Layer.buildWithScope(EmbeddedPostgres.layer(directory), scope))
    cluster = await Effect.runPromise(Effect.provideContext(EmbeddedPostgres, context))
  }
  await start()
  const postmaster = async () =>
    Number((await readFile(join(directory, "data/postmaster.pid"), "utf8").catch(() => "")).split("\n")[0])
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  atEnd(close)
  return {
    directory,
    start,
    /** PostgreSQL takes SIGINT for a fast and SIGQUIT for an immediate shutdown. */
    stop: async (signal: "SIGINT" | "SIGQUIT" | "SIGKILL") => {
      const pid = await postmaster()
      process.kill(pid, signal)
      await until("PostgreSQL has ended", async () => !isAlive(pid))
      // Starting PostgreSQL locked its folder. This releases the lock.
      await close()
    },
    port: () => Number(new URL(cluster.ownerUrl).port),
    url: (role: Role) => cluster[`${role}Url`],
    caCertificate: cluster!.caCertificate,
    /** Connects the superuser. */
    connect: async () => {
      const client = new pg.Client(forPg(clusterConnection(cluster, "superuser"))).on("error", () => {})
      await client.connect()
      return client
    }
  }
}

/** Starts a PostgreSQL behind a proxy. The proxy can fail as networks do, and can lead to another server. */
export const openGround = async () => {
  const cluster = await openCluster()
  let current: Pick<typeof cluster, "port"> = cluster
  const proxy = await openTcpProxy(() => current.port())
  return {
    cluster,
    proxy,
    leadTo: (other: typeof current) => {
      current = other
    },
    database: {
      caCertificate: cluster.caCertificate,
      url: (role: Role) => Object.assign(new URL(cluster.url(role)), { port: `${proxy.port}` }).href
    }
  }
}

type Ground = Awaited<ReturnType<typeof openGround>>

/** Signs in a veteran, and a provider who has a grant from the veteran. */
export const signInPeople = async (service: Service) => {
  const veteran = await signInVeteran(service)
  const provider = await signInProvider(service)
  await giveGrant(service, veteran, provider)
  return { service, veteran, provider }
}

/** Starts a service on the ground's database, and signs in people. */
export const openPeople = async (ground: Pick<Ground, "database">, environment: Record<string, string> = {}) =>
  signInPeople(await openService(ground.database, environment))

export type People = Awaited<ReturnType<typeof openPeople>>

/** Requests that need the database in different ways, and their status without a fault. */
const requests = ({ provider, veteran }: People) => {
  const record = syncBody({ Condition: "complete" }, { Condition: [resource("Condition", "one")] })
  return [
    ["GET", "/api/veteran/me", 200, veteran],
    ["GET", "/api/veteran/me/health-record", 200, veteran],
    ["POST", "/api/veteran/me/self-reported-entries", 201, veteran, { category: "note", text: "a note" }],
    ["GET", "/api/provider/me", 200, provider],
    ["GET", `/api/provider/patients/${veteran.id}/record`, 200, provider],
    ["GET", `/api/provider/patients/${veteran.id}/record/changes`, 200, provider],
    ["POST", "/api/provider/login", 401, { headers: {} }, { email: "nobody@example.org", password: "wrong" }],
    ["POST", "/api/veteran/me/health-record/sync", 200, veteran, record]
  ] as ReadonlyArray<readonly [string, string, number, Pick<SignedIn, "headers">, unknown?]>
}

/** Sends all these requests at once, each `rounds` times. */
const ask = (people: People, rounds = 1) =>
  Promise.all(
    Array.from({ length: rounds }).flatMap(() => requests(people)).map(
      async ([method, path, expected, { headers }, body]) => {
        const began = performance.now()
        const { json, status } = await call(people.service, method, path, { headers, body })
        return { what: `${method} ${path}`, expected, status, error: json?.error, ms: performance.now() - began }
      }
    )
  )

/** Asserts that the process survives without a database, and answers each request within ten seconds. */
export const assertAway = async (people: People, rounds = 2) => {
  const { service, veteran } = people
  const answers = ask(people, rounds)
  const session = call(service, "POST", "/api/auth/veteran/session", {
    headers: withExchangeSecret,
    body: { vaPatientId: veteran.vaPatientId }
  })
  assert.strictEqual((await call(service, "GET", "/health")).status, 200)
  assert.strictEqual((await call(service, "GET", "/api/ready")).status, 503)
  for (const { error, ms, status, what } of await answers) {
    // A veteran's third concurrent sync and seventh sync in a minute are answered 429.
    if (status === 429) continue
    assert.strictEqual(`${what} ${status} ${error}`, `${what} 503 service_unavailable`)
    assert.isBelow(ms, 10_000, what)
  }
  assert.strictEqual((await session).status, 500)
  assert.strictEqual((await call(service, "GET", "/health")).status, 200)
}

/** Asserts that with a slow database each request is answered within ten seconds; a sync may take longer. */
export const assertBounded = async (people: People) => {
  const answers = await ask(people)
  for (const { expected, ms, status, what } of answers) {
    assert.include([expected, 429, 503], status, what)
    if (!what.endsWith("/sync")) assert.isBelow(ms, 10_000, what)
  }
  return answers.map(({ status }) => status)
}

/**
 * Asserts that the same process answers each request as usual within fifteen seconds from `since`. A connection that
 * began to open in the silence is given up after four, and a busy machine needs time for the requests themselves.
 */
export const assertRecovered = async (people: People, since: number) => {
  const isWell = async () => {
    const answers = await ask(people)
    return answers.every(({ expected, status }) => status === expected || status === 429)
  }
  await until("each request is answered as ever", isWell)
  assert.isBelow(performance.now() - since, 15_000, "the pools recover within fifteen seconds")
  assert.isNull(people.service.process.exitCode)
}

/** Requests `/health` repeatedly. The returned function stops that and returns the statuses that were seen. */
export const watchHealth = (people: People) => {
  const seen = new Set<number>()
  const state = { runs: true }
  const watching = (async () => {
    while (state.runs) {
      seen.add((await call(people.service, "GET", "/health")).status)
      await new Promise((wait) => setTimeout(wait, 50))
    }
  })()
  return async () => {
    state.runs = false
    await watching
    return [...seen]
  }
}

/**
 * Asserts that notifications arrive: a view in one process is cut when its link is revoked in another. The link
 * leads to the given release, whose copy becomes large, or to a new one.
 */
export const assertRevokeCuts = async (
  { cluster }: { readonly cluster: { readonly connect: () => Promise<pg.Client> } },
  service: Service,
  other: Service,
  veteran: SignedIn,
  { documentId }: { readonly documentId?: string } = {}
) => {
  const superuser = await cluster.connect()
  const link = await createLink(other, veteran, documentId === undefined ? {} : { documentId })
  await storeCopy(service, superuser, link.documentId, 24 * 1024 * 1024)
  const [session] = await giveSessions(service, superuser, [link])
  await superuser.end()
  // A process that has just lost its listening connection begins no view for a moment. It may also cut one that has
  // used up its session. Each further try resumes it, as the link's page does.
  const refused: Array<string> = []
  const begun = await until(() => `a view begins: ${refused.slice(-5).join()}`, async () => {
    const view = await beginView(service, session!, refused.length === 0 ? undefined : 0).catch(String)
    if (typeof view !== "string" && view.status === 200) return view
    refused.push(typeof view === "string" ? view : `${view.status}`)
    return undefined
  })
  await begun.receive(200_000)
  assert.strictEqual((await revokeLink(other, veteran, link)).status, 200)
  assert.isFalse((await begun.rest()).complete)
}
