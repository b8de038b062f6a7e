import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { openDatabase, openFolder } from "./support/App.ts"
import { createDatabase, type TestDatabase } from "./support/Database.ts"
import { production } from "./support/Production.ts"
import { send } from "./support/Raw.ts"
import { refusedInProcess } from "./support/RefusedStart.ts"
import { refused, startService } from "./support/Service.ts"

const database = await openDatabase()

const certificate = join(await openFolder(), "ca.pem")

await writeFile(certificate, database.caCertificate)

const on = ({ url }: TestDatabase, changes: Record<string, string | undefined>) => ({
  DATABASE_APP_URL: url("runtime"),
  MIGRATION_DATABASE_URL: url("owner"),
  DATABASE_CA_CERT: certificate,
  ...changes
})

describe("A start on an address that is not loopback", () => {
  test("is refused without real secrets, with one line for each missing secret", async () => {
    const secrets = Object.keys(production).filter((name) => /SECRET$|KEY$/.test(name) && !name.startsWith("VETERAN"))
    for (const changes of [{ APP_ENV: "staging" }, { APP_ENV: "development", HOST: "0.0.0.0" }]) {
      assert.sameMembers(
        await refusedInProcess(on(database, changes)),
        secrets.map((name) => `${name} is missing: it has no default where HOST is no loopback address`)
      )
    }
  })

  test("makes no demo account, and is refused on a database that has the demo provider", async () => {
    const own = await createDatabase()
    const changes = { ...production, NODE_ENV: undefined, APP_ENV: "development", SMTP_URL: undefined }
    const count = async (table: string) => Number((await above.query(`select count(*) from ${table}`)).rows[0].count)
    const above = await own.connect("superuser")
    await (await startService(own, changes)).stop()
    assert.deepStrictEqual([await count("veterans"), await count("providers")], [4, 1])
    const [line, ...more] = await refused(on(own, { ...changes, HOST: "0.0.0.0" }))
    assert.lengthOf(more, 0)
    const [, disable] = /^the database has the demo provider, .+ run "(.+)" as the owner$/.exec(line!)!
    await (await own.connect("owner")).query(disable!)
    // A start that makes demo accounts would make the veterans anew.
    await above.query("set session_replication_role = replica; delete from veterans")
    const exposed = await startService(own, { ...changes, HOST: "0.0.0.0" })
    // A proxy or a health check may have any name for the service.
    const { status } = await send(exposed, "GET", "/health", { headers: { host: "records.example" } })
    assert.strictEqual(status, 200)
    await exposed.stop()
    assert.notInclude(exposed.output(), "demo")
    assert.deepStrictEqual([await count("veterans"), await count("providers")], [0, 1])
    await own.close()
  })
})
