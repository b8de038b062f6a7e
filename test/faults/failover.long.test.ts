import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, test } from "vitest"
import { generateKey } from "../../src/services/ledger/SignedNote.ts"
import { assertWhole, drain, textOf } from "../http/ledger/Drained.ts"
import { createLink, revokeLink } from "../http/link/Links.ts"
import { sign } from "../http/release/Releases.ts"
import { openService } from "../support/App.ts"
import { call } from "../support/Client.ts"
import { noServer } from "../support/DebianPostgres.ts"
import { describeWith } from "../support/DescribeWith.ts"
import { shell } from "../support/OperatorCommands.ts"
import { production } from "../support/Production.ts"
import { refused } from "../support/Service.ts"
import { logged, until } from "../support/Until.ts"
import { noHaproxy } from "../web/Haproxy.ts"
import { assertRecovered, assertRevokeCuts, signInPeople } from "./Ground.ts"
import { openStandbyPair } from "./StandbyPair.ts"
import { assertKept, assertRefusals, type Person, startLoad } from "./WriteLoad.ts"

const missing = noServer || noHaproxy ? " (skipped: Debian's PostgreSQL or HAProxy is not installed)" : ""

describeWith(
  missing !== "",
  `Behind HAProxy, with a standby by the lines of docs/operator.md,${missing}`,
  async () => {
    const pair = await openStandbyPair()
    const { database, haproxy, one, two } = pair
    const shared = { PROOF_SIGNING_KEY: generateKey("records.example.org/disclosures")! }
    const first = await openService(database, shared)
    const rest = { ...shared, UPLOAD_DIR: join(first.directory, ".data/uploads") }
    const services = [first, await openService(database, rest), await openService(database, rest)]
    const groups = await Promise.all(services.map(signInPeople))
    const people: Array<Person> = []
    for (const group of groups) {
      // On a busy machine the first release may be refused, because it has to wait for its worker process.
      const release = await until("a release is signed", async () => {
        const answer = await sign(group.service, group.veteran, { incompleteRecordConfirmed: true })
        return answer.status === 201 && answer
      })
      people.push({ ...group, documentId: release.json.document.id })
    }

    const inProduction = async ({ caCertificate, url }: typeof database) => {
      const authority = join(pair.root, "authorities.pem")
      await writeFile(authority, caCertificate)
      return { ...production, DATABASE_APP_URL: url("runtime"), DATABASE_CA_CERT: authority }
    }

    const connectionsTo = async (server: typeof one) => {
      const superuser = await pair.connectTo(server)
      const { rows: [row] } = await superuser.query(
        "select count(*)::int as count from pg_stat_activity where usename in ('vrss_app', 'vrss_owner')"
      )
      await superuser.end()
      return row.count as number
    }

    test("a process that is pointed straight at the standby does not start, and the doctor says why", async () => {
      const environment = await inProduction(pair.straightTo(two))
      const reason = (await refused(environment)).join("\n")
      assert.match(reason, /leads to a standby/, reason)
      const found = await shell("npm run --silent doctor 2>&1 || true", environment)
      assert.match(found, /The database is a standby\./)
    })

    test("while the standby is away no write is answered as done, and then the processes go on", async () => {
      const { documentId, service, veteran } = people[0]!
      const link = await createLink(service, veteran, { documentId })
      await two.kill()
      const again = async () => {
        const { json, status } = await revokeLink(service, veteran, link)
        return `${status} ${json.error}`
      }
      const outcomes = [await again(), await again(), await again()]
      assert.deepStrictEqual(outcomes, Array(3).fill("503 service_unavailable"))
      await two.start()
      const began = performance.now()
      for (const group of groups) await assertRecovered(group, began)
      assert.strictEqual((await revokeLink(service, veteran, link)).status, 200)
    })

    test("if the primary is killed and the standby promoted under load, no act that was answered is lost", async () => {
      await drain(first)
      const checkpoint = await textOf(first, "/api/proofs/checkpoint")
      const load = startLoad(services, people)
      await until(
        "acts of each kind were answered",
        async () => Object.values(load.answered).every(({ size }) => size > 3) && load.reads() > 10
      )
      assert.strictEqual(await connectionsTo(two), 0)

      await one.kill()
      await until("requests are refused", async () => [...load.others.keys()].some((told) => told.includes(" 503 ")))
      for (const service of services) {
        await logged(service, "the database is out of reach")
        assert.strictEqual((await call(service, "GET", "/health")).status, 200)
        const { json, status } = await call(service, "GET", "/api/ready")
        assert.strictEqual(`${status} ${json.dependencies.database}`, "503 unavailable")
      }
      await until("HAProxy says it", async () => haproxy.output().includes("Server database/one is DOWN"))
      const found = await shell("npm run --silent doctor 2>&1 || true", await inProduction(database))
      assert.match(found, /The database of DATABASE_APP_URL .* cannot be used: \w+\.\n.*\n.*"The primary is lost"/)
      await pair.promote(two)
      const promoted = performance.now()
      await Promise.all(groups.map((group) => assertRecovered(group, promoted)))
      const before = load.answered.entries.size
      await until("the load goes on", async () => load.answered.entries.size > before + 5)
      await load.stop()
      assert.match(haproxy.output(), /Server database\/two is UP/)

      assertRefusals(load)
      const superuser = await pair.connectTo(two)
      for (const service of services) await assertKept(load, service, people, superuser)
      await Promise.all(services.map(drain))
      await assertWhole(superuser)
      const kept = await superuser.query("select from proof_checkpoints where rtrim(note, e'\\n') = $1", [
        checkpoint.trimEnd()
      ])
      assert.lengthOf(kept.rows, 1, "the checkpoint that was answered before is of this tree")
      await superuser.end()
    })

    test("afterwards a revoke in one process cuts a view in another, so each hears the new primary", async () => {
      const ground = { cluster: { connect: () => pair.connectTo(two) } }
      for (const [index, service] of services.entries()) {
        const other = services[(index + 1) % services.length]!
        const person = people[index]!
        await assertRevokeCuts(ground, { ...service, directory: first.directory }, other, person.veteran, person)
      }
    })

    test("the former primary that comes back gets no connection and confirms no write", async () => {
      await one.start()
      const former = await pair.connectTo(one)
      assert.deepStrictEqual((await former.query("select pg_is_in_recovery() as standby")).rows, [{ standby: false }])
      const checks = async () =>
        (await former.query("select sessions::int from pg_stat_database where datname = 'postgres'")).rows[0].sessions
      const before = await checks()
      const write = former.query("create table not_confirmed ()").catch(() => undefined)
      const watcher = await pair.connectTo(one)
      await until("HAProxy has looked at it several times", async () => {
        const { rows } = await watcher.query("select sessions::int from pg_stat_database where datname = 'postgres'")
        return rows[0].sessions > before + 3
      })
      for (const group of groups) await assertRecovered(group, performance.now())
      assert.strictEqual(await connectionsTo(one), 0)
      assert.strictEqual(await Promise.race([write.then(() => "confirmed"), "waits"]), "waits")
      await watcher.end()
      await one.kill()
      void former.end()
    })
  }
)
