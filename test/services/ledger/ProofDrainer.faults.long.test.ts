import { once } from "node:events"
import { rm } from "node:fs/promises"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { assert, describe, test } from "vitest"
import { assertWhole, drain, writeEvents } from "../../http/ledger/Drained.ts"
import { openDatabase } from "../../support/App.ts"
import { asDrainer, call, giveGrant, registerVeterans, signIn, signInProvider } from "../../support/Client.ts"
import { launch, startService } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"

const database = await openDatabase()

const owner = await database.connect("superuser")

const [registered] = await registerVeterans(owner, 1)

const veteran = registered!.id

/**
 * Forwards all traffic to the database in clear, and calls `onStep` after each forwarded step of a drainer's
 * transaction.
 */
const openProxy = async (onStep: (step: number) => void) => {
  const { hostname, port } = new URL(database.url("runtime"))
  const sockets = new Set<Socket>()
  let steps = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => {}))
    let drains = false
    client.on("data", (bytes) => {
      drains ||= bytes.includes("try_lock_tree")
      upstream.write(bytes, () => drains ? onStep(++steps) : undefined)
    }).on("close", () => upstream.destroy())
    upstream.pipe(client).on("close", () => client.destroy())
    upstream.on("close", () => client.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    steps: () => steps,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

/**
 * Starts a service, which drains immediately, and kills it after this step of the drainer. Returns how many steps there
 * were.
 */
const killAt = async (step: number) => {
  const proxy = await openProxy((at) => at === step && service.process.kill("SIGKILL"))
  const url = new URL(database.url("runtime"))
  Object.assign(url, { hostname: "127.0.0.1", port: `${proxy.port}`, search: "?sslmode=disable" })
  const service = await launch({
    APP_ENV: "test",
    PORT: "0",
    DATABASE_APP_URL: url.href,
    MIGRATION_DATABASE_URL: Object.assign(new URL(database.url("owner")), { search: "" }).href,
    PROOF_SIGNING_KEY: signingKey
  })
  const ended = once(service.process, "exit")
  const quiet = setInterval(async () => {
    const { rows } = await owner.query("select from proofs where tree_index is null limit 1")
    // The drainer has finished in fewer steps than `step`, so the service is killed now.
    if (rows.length === 0 && proxy.steps() > 0 && proxy.steps() < step) service.process.kill("SIGKILL")
  }, 250)
  await ended
  clearInterval(quiet)
  proxy.close()
  await rm(service.directory, { recursive: true, force: true })
  assert.isAbove(proxy.steps(), 0, service.output())
  return proxy.steps()
}

const signingKey = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"

describe("A drainer", () => {
  test(
    "has stored either all of a batch or nothing, whichever step it is killed after",
    async () => {
      const outcomes: Array<string> = []
      let [all, whole] = [0, 0]
      for (let step = 1;; step++) {
        await writeEvents(owner, veteran, 40)
        all += 40
        const before = whole
        const steps = await killAt(step)
        // Statements that were sent before the process ended may still run. This waits until they release the lock.
        await owner.query(
          "select pg_advisory_lock(hashtextextended('proof_tree', 0)), pg_advisory_unlock(hashtextextended('proof_tree', 0))"
        )
        whole = await assertWhole(owner)
        assert.include([before, all], whole)
        outcomes.push(whole === before ? "nothing" : "all")
        if (steps < step) break
      }
      // A kill after the first step stores nothing, and a kill after the last step stores everything. With more than
      // six steps, the service was also killed in the middle.
      assert.isAbove(outcomes.length, 6, outcomes.join())
      assert.strictEqual(outcomes[0], "nothing")
      assert.strictEqual(outcomes.at(-1), "all")
    }
  )

  test("makes each event one leaf, while two processes write events and drain in parallel", async () => {
    const services = await Promise.all(
      [0, 1].map(() => startService(database, { PROOF_SIGNING_KEY: signingKey }))
    )
    try {
      const [one] = services
      const reader = await signIn(one!, registered!)
      const provider = await signInProvider(one!)
      // These events have early places in the order, and become visible last.
      const slow = await database.connect("superuser")
      await slow.query("begin")
      await writeEvents(slow, veteran, 5)
      const acting = new AbortController()
      const act = async (service: typeof services[number]) => {
        for (let n = 0; n < 10; n++) {
          const { id } = await giveGrant(service, reader, provider)
          assert.isString(id)
          const path = `/api/veteran/me/consent-grants/${id}/revoke`
          assert.strictEqual((await call(service, "POST", path, { headers: reader.headers })).status, 200)
        }
      }
      const ask = async (service: typeof services[number]) => {
        let last = 0
        while (!acting.signal.aborted) {
          const { treeSize } = await drain(service)
          assert.isAtLeast(treeSize, last)
          last = treeSize
        }
      }
      const asking = [...services, ...services].map(ask)
      const writing = (async () => {
        for (let n = 0; n < 10; n++) await writeEvents(owner, veteran, 300)
      })()
      await Promise.all([...services.map(act), writing])
      await slow.query("commit")
      acting.abort()
      await Promise.all(asking)
      await drain(one!)
      const { rows: [{ rows, waiting }] } = await owner.query(
        "select count(*)::int as rows, count(*) filter (where tree_index is null)::int as waiting from proofs"
      )
      assert.strictEqual(waiting, 0)
      assert.strictEqual(await assertWhole(owner), rows)
      for (const service of services) assert.notMatch(service.output(), /proofs: /)
    } finally {
      for (const service of services) await service.stop()
    }
  })

  test("signs nothing more if the tree differs from what was signed, and reports it", async () => {
    const other = await openDatabase()
    const tamperer = await other.connect("superuser")
    const [somebody] = await registerVeterans(tamperer, 1)
    const service = await startService(other, { PROOF_SIGNING_KEY: signingKey })
    await writeEvents(tamperer, somebody!.id, 3)
    await drain(service)
    // The last leaf is lost, together with its event's row.
    await tamperer.query("alter table proofs disable trigger leaves_stay")
    await tamperer.query("delete from proofs where tree_index = 2")
    await tamperer.query("update proof_tiles set hashes = substr(hashes, 1, 64)")
    await writeEvents(tamperer, somebody!.id, 1)
    const answer = await call(service, "POST", "/api/internal/proofs/drain", {
      headers: asDrainer
    })
    assert.deepStrictEqual([answer.status, answer.json.error], [500, "internal_error"])
    const { rows } = await tamperer.query("select from proof_checkpoints")
    assert.lengthOf(rows, 1)
    const lag = await tamperer.query("select tree_index from proofs where tree_index is null")
    assert.lengthOf(lag.rows, 1)
    await service.stop()
    const again = await startService(other, { PROOF_SIGNING_KEY: signingKey })
    assert.include(
      await until("the drainer has looked", async () => /proofs: .*/.exec(again.output())?.[0]),
      "proofs: the tree"
    )
    await again.stop()
  })
})
