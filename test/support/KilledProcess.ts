import { once } from "node:events"
import { rm } from "node:fs/promises"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { assert } from "vitest"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import type { TestDatabase } from "./Database.ts"
import { adminSecret, launch } from "./Service.ts"
import { until } from "./Until.ts"

/**
 * Forwards all traffic to the database in clear. The first bytes that hold `words` are its first step, and each answer
 * of the database after them is one more. Before the step `last` is forwarded, it calls `end`, and forwards nothing
 * more. Other statements are no steps: a process that ends before it sends one leaves what it left before the answer.
 */
const openProxy = async (runtimeUrl: string, words: string, last: number, end: () => void) => {
  const { hostname, port } = new URL(runtimeUrl)
  const sockets = new Set<Socket>()
  const upstreamPorts: Array<number> = []
  let steps = 0
  const step = () => {
    if (++steps === last) end()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname, () => upstreamPorts.push(upstream.localPort!))
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => {}))
    client.on("data", (bytes: Buffer) => {
      if (steps === 0 && bytes.includes(words)) step()
      if (steps < last) upstream.write(bytes)
    }).on("close", () => upstream.destroy())
    upstream.on("data", (bytes: Buffer) => {
      if (steps > 0) step()
      if (steps < last) client.write(bytes)
    }).on("close", () => client.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    upstreamPorts,
    steps: () => steps,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

/**
 * Returns a function that sends a request to a process that is killed before a step. It returns the status, if there
 * was an answer, and how many steps there were.
 */
export const killing = (database: Pick<TestDatabase, "connect" | "url">, environment: Record<string, string>) => {
  const connected = database.connect("superuser")
  return async (
    step: number,
    words: string,
    send: (service: { readonly url: string }) => Promise<{ readonly status: number }>
  ) => {
    const proxy = await openProxy(database.url("runtime"), words, step, () => service.process.kill("SIGKILL"))
    const port = await freePort()
    const url = new URL(database.url("runtime"))
    Object.assign(url, { hostname: "127.0.0.1", port: `${proxy.port}`, search: "?sslmode=disable" })
    const service = await launch({
      ...environment,
      APP_ENV: "test",
      PORT: `${port}`,
      PORTAL_PORT: "0",
      OAUTH_ISSUER: `http://localhost:${port}`,
      DATABASE_APP_URL: url.href,
      MIGRATION_DATABASE_URL: Object.assign(new URL(database.url("owner")), { search: "" }).href,
      INTERNAL_ADMIN_SECRET: adminSecret,
      TRUSTED_PROXY_HOPS: "1"
    })
    const ended = once(service.process, "exit")
    const at = { url: `http://localhost:${port}` }
    await until("the service is healthy", () => fetch(`${at.url}/health`).then(({ ok }) => ok, () => false))
    const status = await send(at).then((answer) => answer.status, () => undefined)
    service.process.kill("SIGKILL")
    await ended
    proxy.close()
    const superuser = await connected
    // A last commit may still be under way in a session whose client is gone.
    await until("the database has ended the sessions of the killed process", async () => {
      const { rowCount } = await superuser.query("select from pg_stat_activity where client_port = any($1)", [
        proxy.upstreamPorts
      ])
      return rowCount === 0
    })
    await rm(service.directory, { recursive: true, force: true })
    return { status, steps: proxy.steps() }
  }
}

/** Whether an act happened as a whole (true) or not at all (false). Throws if it happened in part. */
export const whole = (facts: ReadonlyArray<boolean>) => {
  assert.lengthOf([...new Set(facts)], 1, `${facts}`)
  return facts[0]!
}

/** A request, and a look at whether it happened as a whole (true), not at all (false), or in part (throws). */
export interface Act {
  /** The first statement of the act has these. */
  readonly words: string
  readonly prepare: () => Promise<{
    readonly send: (service: { readonly url: string }) => Promise<{ readonly status: number }>
    readonly happened: () => Promise<boolean>
  }>
}

/** Kills a process at each step of an act, until the act ends before it. Nothing happened first, and all of it last. */
export const killAtEachStep = async (killAt: ReturnType<typeof killing>, { prepare, words }: Act) => {
  const outcomes: Array<boolean> = []
  for (let step = 1;; step++) {
    const { happened, send } = await prepare()
    const { status, steps } = await killAt(step, words, send)
    const did = await happened()
    outcomes.push(did)
    // What was answered did happen.
    if (status !== undefined && status < 400) assert.isTrue(did)
    if (steps < step) break
    assert.isBelow(step, 40)
  }
  assert.isFalse(outcomes[0])
  assert.isTrue(outcomes.at(-1))
}
