import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, test } from "vitest"
import { openDatabase, openFolder } from "../support/App.ts"
import type { TestDatabase } from "../support/Database.ts"
import { describeWith } from "../support/DescribeWith.ts"
import { inherited, programFile } from "../support/Environment.ts"
import { noPgBouncer, openPgBouncer } from "../support/PgBouncer.ts"
import { production } from "../support/Production.ts"
import { refused } from "../support/Service.ts"

const names = "client_connection_check_interval, idle_in_transaction_session_timeout, statement_timeout, lock_timeout"

const ignored = { ignore_startup_parameters: names }

const runtime = "DATABASE_APP_URL (or DATABASE_URL)"

const runbook = "see 'Scaling out' in docs/operator.md"

const pooled = (name: string, otherwise = "use session mode, or no pooler") =>
  `${name} leads to a pooler in transaction mode, which loses locks and LISTEN: ${otherwise}; ${runbook}`

const pastIt = "let DATABASE_SESSION_URL lead past it, or use session mode"

describeWith(noPgBouncer, "Through PgBouncer", async () => {
  const database = await openDatabase()
  const folder = await openFolder()

  const certificate = async (name: string, { caCertificate }: Pick<TestDatabase, "caCertificate">) => {
    const file = join(folder, `${name}.pem`)
    await writeFile(file, caCertificate)
    return file
  }

  /** Starts the service through a pooler with these settings. Returns the error lines of the refused start. */
  const start = async (name: string, settings: Record<string, string | number>) => {
    const pooler = await openPgBouncer(database, settings)
    try {
      return await refused({
        ...production,
        DATABASE_APP_URL: pooler.url("runtime"),
        DATABASE_CA_CERT: await certificate(name, pooler)
      })
    } finally {
      await pooler.close()
    }
  }

  test.each([
    ["transaction", 1],
    ["transaction", 20],
    ["statement", 20]
  ])("in %s mode with %s sessions a start is refused by one line", async (mode, size) => {
    const settings = { ...ignored, pool_mode: mode, default_pool_size: size }
    assert.deepStrictEqual(await start(`${mode}-${size}`, settings), [pooled(runtime, pastIt)])
  })

  test("in transaction mode a start is refused even if the pooler uses its server connections in turn", async () => {
    const settings = {
      ...ignored,
      pool_mode: "transaction",
      server_round_robin: 1,
      min_pool_size: 5
    }
    assert.deepStrictEqual(await start("in-turn", settings), [pooled(runtime, pastIt)])
  })

  test("with the settings that Debian installs, a start is refused by one line that names what to set", async () => {
    assert.deepStrictEqual(await start("as-installed", {}), [
      `${runtime} leads to a pooler that refuses the limits of a session: in PgBouncer, set ignore_startup_parameters = ${names}, and the limits for the role; ${runbook}`
    ])
  })

  test("in session mode a start is refused if the pooler ignores the timeouts that the service sets", async () => {
    assert.deepStrictEqual(await start("no-limits", ignored), [
      "The limits of a session do not hold, because a pooler ignores them: run \"" +
      "alter role vrss_app set client_connection_check_interval = '2s'; " +
      "alter role vrss_app set idle_in_transaction_session_timeout = '15s'; " +
      "alter role vrss_app set statement_timeout = '30s'; " +
      "alter role vrss_app set lock_timeout = '10s'" +
      `" as an administrator and restart the pooler; ${runbook}.`
    ])
  })

  test("in session mode with a single session a start is refused", async () => {
    const settings = { ...ignored, default_pool_size: 1 }
    assert.deepStrictEqual(await start("single", settings), [
      `the database of ${runtime} takes connections but does not answer: is a pooler's pool_size too small?`
    ])
  })

  test.each([["transaction", 1, pooled("MIGRATION_DATABASE_URL (or DATABASE_URL)")], ["session", 0, "none pending"]])(
    "in %s mode migrating exits with code %s",
    async (mode, code, line) => {
      const pooler = await openPgBouncer(database, { pool_mode: mode })
      const child = spawn(process.execPath, [programFile("migrate")], {
        env: {
          ...inherited,
          MIGRATION_DATABASE_URL: pooler.url("owner"),
          DATABASE_CA_CERT: await certificate(`migrate-${mode}`, pooler)
        }
      })
      let output = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
      const [status] = await once(child, "close")
      await pooler.close()
      assert.deepStrictEqual([status, output], [code, `${line}\n`])
    }
  )
}, { concurrent: true })
