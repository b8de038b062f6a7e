import { once } from "node:events"
import { rm } from "node:fs/promises"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { assert } from "vitest"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { atEnd } from "./App.ts"
import type { TestDatabase } from "./Database.ts"
import { adminSecret, launch } from "./Service.ts"
import { until } from "./Until.ts"

interface Forwarder {
  /** Where the bytes go. */
  readonly to: { readonly host: string; readonly port: number }
  /** If this returns false, all bytes are lost, and new connections end at once. */
  readonly isOpen: () => boolean
  readonly asked?: (bytes: Buffer) => void
  readonly answered?: () => void
}

/** Forwards all traffic of a new port in clear. */
const openForwarder = async ({ answered, asked, isOpen, to }: Forwarder) => {
  const sockets = new Set<Socket>()
  const upstreamPorts: Array<number> = []
  const server = createServer((client) => {
    if (!isOpen()) return void client.destroy()
    const upstream = connect(to, () => upstreamPorts.push(upstream.localPort!))
    for (const socket of [client, upstream]) {
      sockets.add(socket.on("error", () => {}).once("close", () => sockets.delete(socket)))
    }
    client.on("data", (bytes: Buffer) => {
      asked?.(bytes)
      if (isOpen()) upstream.write(bytes)
    }).on("close", () => upstream.destroy())
    upstream.on("data", (bytes: Buffer) => {
      answered?.()
      if (isOpen()) client.write(bytes)
    }).on("close", () => client.destroy())
  }).listen(0)
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    upstreamPorts,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: () => server.close()
  }
}

/**
 * Starts a process that can be killed again and again. To everybody else, a process that is stopped and whose
 * connections are closed is a killed one. But it can go on with the next act, and a start costs more than any act.
 */
const startMortal = async (database: Pick<TestDatabase, "url">, environment: Record<string, string>) => {
  const runtime = new URL(database.url("runtime"))
  const port = await freePort()
  const life = { words: "", last: 0, steps: 0, isLive: true }
  const isOpen = () => life.isLive
  const die = () => {
    life.isLive = false
    service.process.kill("SIGSTOP")
    for (const { cut } of [toDatabase, toService]) cut()
  }
  const step = () => {
    if (++life.steps === life.last) die()
  }
  const toDatabase = await openForwarder({
    to: { host: runtime.hostname, port: Number(runtime.port) },
    isOpen,
    asked: (bytes) => life.words !== "" && life.steps === 0 && bytes.includes(life.words) && step(),
    answered: () => life.steps > 0 && step()
  })
  const toService = await openForwarder({ to: { host: "localhost", port }, isOpen })
  const url = `http://localhost:${toService.port}`
  const address = { hostname: "127.0.0.1", port: `${toDatabase.port}`, search: "?sslmode=disable" }
  const service = await launch({
    ...environment,
    APP_ENV: "test",
    PORT: `${port}`,
    PORTAL_PORT: "0",
    OAUTH_ISSUER: url,
    DATABASE_APP_URL: Object.assign(runtime, address).href,
    MIGRATION_DATABASE_URL: Object.assign(new URL(database.url("owner")), { search: "" }).href,
    INTERNAL_ADMIN_SECRET: adminSecret,
    TRUSTED_PROXY_HOPS: "1"
  })
  const ended = once(service.process, "exit")
  return {
    url,
    upstreamPorts: toDatabase.upstreamPorts,
    steps: () => life.steps,
    die,
    live: async (words: string, last: number) => {
      toDatabase.upstreamPorts.length = 0
      Object.assign(life, { words: "", last, steps: 0, isLive: true })
      service.process.kill("SIGCONT")
      await until("the process is ready", () => fetch(`${url}/api/ready`).then(({ ok }) => ok, () => false))
      life.words = words
    },
    close: async () => {
      die()
      for (const { close } of [toDatabase, toService]) close()
      service.process.kill("SIGKILL")
      await ended
      await rm(service.directory, { recursive: true, force: true })
      await service.giveBack?.()
    }
  }
}

/**
 * Returns a function that sends a request to a process that is killed before a step. It returns the status, if there
 * was an answer, and how many steps there were. The first bytes to the database that hold `words` are the first step,
 * and each answer after them is one more. Other statements are no steps: a process that ends before it sends one leaves
 * what it left before the answer. It is always the same process, so the function is called once at a time.
 */
export const killing = (database: Pick<TestDatabase, "connect" | "url">, environment: Record<string, string>) => {
  const opened = Promise.all([startMortal(database, environment), database.connect("superuser")])
  atEnd(async () => (await opened)[0].close())
  return async (
    step: number,
    words: string,
    send: (service: { readonly url: string }) => Promise<{ readonly status: number }>
  ) => {
    const [mortal, superuser] = await opened
    await mortal.live(words, step)
    const status = await send(mortal).then((answer) => answer.status, () => undefined)
    mortal.die()
    // A last commit may still be under way in a session whose client is gone.
    await until("the database has ended the sessions of the killed process", async () => {
      const { rowCount } = await superuser.query("select from pg_stat_activity where client_port = any($1)", [
        mortal.upstreamPorts
      ])
      return rowCount === 0
    })
    return { status, steps: mortal.steps() }
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
