import { Effect, Exit, Layer, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { chmod, mkdtemp, open, rm } from "node:fs/promises"
import { connect, createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { type Cluster, EmbeddedPostgres, freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import {
  asAdmin,
  call,
  type SignedIn,
  signInProvider,
  signInVeteran,
  withExchangeSecret
} from "../../support/Client.ts"
import type { Role } from "../../support/Database.ts"
import { type Service, startService } from "../../support/Service.ts"
import { resource, syncBody, syncPath } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const mount = (folder: string) =>
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=220m", "none", folder], { stdio: "ignore" })

const mounts = process.getuid?.() === 0 && await (async () => {
  const probe = await mkdtemp(join(tmpdir(), "vrss-mount-"))
  try {
    mount(probe)
    execFileSync("umount", [probe])
    return true
  } catch {
    return false
  } finally {
    await rm(probe, { recursive: true, force: true })
  }
})()

/**
 * The folder of a separate cluster, which the tests stop and start. The service reaches it through `proxy`. If this
 * process may mount, it is a small disk.
 */
let directory: string

let cluster: Cluster

let scope: Scope.Closeable

let proxy: Server

let port: number

let service: Service

let veteran: SignedIn & { readonly vaPatientId: string }

let provider: SignedIn & { readonly email: string }

const connections = new Set<Socket>()

/** If true, the port accepts connections but sends nothing back. */
let silent = false

const startPostgres = async () => {
  scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(
    Layer.buildWithScope(EmbeddedPostgres.layer(join(directory, "postgres")), scope)
  ).catch(
    (error: Error) => {
      console.error(error.message)
      process.exit(1)
    }
  )
  cluster = await Effect.runPromise(Effect.provideContext(EmbeddedPostgres, context))
}

const stopPostgres = () => Effect.runPromise(Scope.close(scope, Exit.void))

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "vrss-outage-"))
  await chmod(directory, 0o755)
  if (mounts) mount(directory)
  await startPostgres()
  port = await freePort()
  proxy = createServer((inside) => {
    connections.add(inside)
    if (silent) {
      inside.on("error", () => {}).pause()
      return
    }
    const outside = connect(Number(new URL(cluster.ownerUrl).port), "localhost")
    for (const [from, to] of [[inside, outside], [outside, inside]] as const) {
      connections.add(from)
      from.on("error", () => {}).on("close", () => to.destroy()).pipe(to)
    }
  }).listen(port, "localhost")
  service = await startService({
    caCertificate: cluster.caCertificate,
    url: (role: Role) => {
      const url = new URL(cluster[`${role}Url`])
      url.port = `${port}`
      return url.href
    }
  })
  veteran = await signInVeteran(service)
  provider = await signInProvider(service)
})

afterAll(async () => {
  await service.stop()
  proxy.close()
  for (const connection of connections) connection.destroy()
  await stopPostgres()
  if (mounts) execFileSync("umount", ["-l", directory])
  await rm(directory, { recursive: true, force: true })
})

const canary = "c4n4ry"

const ask = async (
  method: string,
  path: string,
  { body, headers }: { readonly headers?: any; readonly body?: unknown } = {}
) => call(service, method, path, { headers: { ...headers, "x-note": canary }, ...(body === undefined ? {} : { body }) })

const exchangeSession = () =>
  ask("POST", "/api/auth/veteran/session", { headers: withExchangeSecret, body: { vaPatientId: veteran.vaPatientId } })

/** Each of these requests needs the database. `status` is the status of its answer while the database works. */
const requests: ReadonlyArray<
  readonly [method: string, path: string, status: number, call: () => { headers?: any; body?: unknown }]
> = [
  ["POST", "/api/provider/login", 401, () => ({ body: { email: `${canary}@example.org`, password: canary } })],
  ["GET", "/api/veteran/me", 200, () => veteran],
  ["GET", "/api/veteran/me/health-record", 200, () => veteran],
  ["GET", "/api/veteran/me/consent-grants", 200, () => veteran],
  [
    "POST",
    "/api/veteran/me/self-reported-entries",
    201,
    () => ({ ...veteran, body: { category: "note", text: canary } })
  ],
  ["POST", "/api/veteran/me/health-record/sync", 200, () => ({
    ...veteran,
    body: {
      fhirResourceFetchStatuses: { Condition: "complete" },
      resources: { Condition: [{ resourceType: "Condition", id: canary }] }
    }
  })],
  ["GET", "/api/provider/me", 200, () => provider],
  ["GET", "/api/provider/patients", 200, () => provider],
  ["GET", `/api/admin/veterans`, 200, () => ({ headers: asAdmin })],
  ["POST", "/api/waitlist", 202, () => ({ body: { email: `${canary}@example.org` } })]
]

const assertOut = async () => {
  assert.strictEqual((await ask("GET", "/health")).status, 200)
  // The service reuses the result of a recent check, so the first answers may still be 200.
  const ready = await until("it is not ready", async () => {
    const answer = await ask("GET", "/api/ready")
    return answer.status === 503 && answer
  })
  assert.deepInclude(ready.json, {
    status: "unavailable",
    dependencies: { database: "unavailable", uploads: "ok", mail: "ok" }
  })
  const answers = await Promise.all(requests.map(([method, path, , details]) => ask(method, path, details())))
  for (const [index, answer] of answers.entries()) {
    const [method, path] = requests[index]!
    assert.strictEqual(`${answer.status} ${answer.json.error}`, "503 service_unavailable", `${method} ${path}`)
    assert.match(answer.headers.get("retry-after")!, /^\d+$/)
    assert.strictEqual(answer.json.requestId, answer.headers.get("x-request-id"))
  }
  // Specification, "Authentication" 2: the session exchange never answers 503 once its secret is configured.
  const session = await exchangeSession()
  assert.strictEqual(`${session.status} ${session.json.error}`, "500 internal_error")
  assert.isNull(session.headers.get("retry-after"))
  // Requests that need no database are answered as usual.
  assert.strictEqual((await ask("GET", "/api/veteran/me")).status, 401)
  assert.strictEqual((await ask("GET", "/nothing")).status, 404)
}

const assertRecovered = async () => {
  while ((await ask("GET", "/api/ready")).status !== 200) await new Promise((wait) => setTimeout(wait, 50))
  for (const [method, path, status, details] of requests) {
    assert.strictEqual((await ask(method, path, details())).status, status, `${method} ${path}`)
  }
  assert.strictEqual((await exchangeSession()).status, 200)
}

/** Writes a file until the disk is full. */
const fill = async (file: string) => {
  await using handle = await open(file, "w")
  const block = Buffer.alloc(64 * 1024)
  for (const size of [block.length, 4096]) {
    try {
      for (;;) await handle.write(block.subarray(0, size))
    } catch {
      // The disk has no room for a block of this size. Smaller blocks follow.
    }
  }
}

describe.skipIf(!mounts)("A full disk of the database (needs the right to mount)", () => {
  test("is named as the cause by /api/ready and by the log, and the service recovers once there is room", async () => {
    const veteran = await signInVeteran(service)
    const store = (ids: number) =>
      call(service, "POST", syncPath, {
        headers: veteran.headers,
        body: syncBody({ Condition: "complete" }, {
          Condition: Array.from({ length: ids }, (_, n) => resource("Condition", `c${ids}-${n}`))
        })
      })
    const ready = async () => (await call(service, "GET", "/api/ready")).json
    assert.strictEqual((await store(1)).status, 200)
    assert.strictEqual((await ready()).status, "ok")

    await fill(join(directory, "ballast"))
    const full = await until("it is told", async () => {
      const answer = await ready()
      return answer.status === "unavailable" && answer
    })
    const { message: _, requestId: __, ...rest } = full
    assert.deepStrictEqual(rest, {
      error: "service_unavailable",
      status: "unavailable",
      dependencies: { database: "unavailable", uploads: "ok", mail: "ok" },
      reasons: { database: "the database's disk is full (53100)" }
    })
    const refused = await store(3000)
    assert.strictEqual(`${refused.status} ${refused.json.error}`, "503 service_unavailable")
    const [line] = await until("it is logged", async () => {
      const lines = service.output().split("\n").filter((line) => line.includes(refused.headers.get("x-request-id")!))
      return lines.length === 2 && lines
    })
    assert.deepInclude(JSON.parse(line!), {
      level: "warn",
      message: "answered 503: the database's disk is full",
      sqlState: "53100"
    })
    assert.notInclude(service.output(), "out of reach")

    await rm(join(directory, "ballast"))
    await until("it is ready again", async () => (await ready()).status === "ok")
    assert.strictEqual((await store(3000)).status, 200)
  })
})

describe("While PostgreSQL is stopped", () => {
  beforeAll(stopPostgres)
  test("the service keeps running; requests that need the database get 503, the session exchange 500", assertOut)
  test("a second round of the same requests gets the same answers", assertOut)
})

describe("Once PostgreSQL is started again", () => {
  beforeAll(startPostgres)
  test("every route works again with the same tokens, in the same process", async () => {
    await assertRecovered()
    assert.isNull(service.process.exitCode)
  })
})

describe("While PostgreSQL accepts connections and does not answer", () => {
  beforeAll(() => {
    silent = true
    for (const connection of connections) connection.unpipe().pause()
  })
  test("no request waits for ever: it is answered with 503, or 500 on the session exchange", assertOut, 90_000)
})

describe("Once PostgreSQL answers again", () => {
  beforeAll(() => {
    silent = false
    for (const connection of connections) connection.destroy()
  })
  test("every route works as before the silence", assertRecovered, 60_000)
})

describe("The log of these outages", () => {
  test("holds nothing that a client sent", () => {
    assert.notInclude(service.output(), canary)
  })
})
