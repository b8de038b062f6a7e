import { Effect, Exit, Layer, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { chmod, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, onTestFinished, test } from "vitest"
import { EmbeddedPostgres } from "../../../src/postgres/EmbeddedPostgres.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import type { Role } from "../../support/Database.ts"
import { startService } from "../../support/Service.ts"
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

/** Starts a separate PostgreSQL cluster on a small disk. */
const openCluster = async (disk: string) => {
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(EmbeddedPostgres.layer(join(disk, "postgres")), scope))
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Effect.provideContext(EmbeddedPostgres, context))
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
    const disk = await mkdtemp(join(tmpdir(), "vrss-disk-"))
    await chmod(disk, 0o755)
    mount(disk)
    onTestFinished(() => void execFileSync("umount", ["-l", disk]))
    const cluster = await openCluster(disk)
    const service = await startService({
      caCertificate: cluster.caCertificate,
      url: (role: Role) => cluster[`${role}Url`]
    })
    onTestFinished(async () => void await service.stop())
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

    await fill(join(disk, "ballast"))
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

    await rm(join(disk, "ballast"))
    await until("it is ready again", async () => (await ready()).status === "ok")
    assert.strictEqual((await store(3000)).status, 200)
  })
})
