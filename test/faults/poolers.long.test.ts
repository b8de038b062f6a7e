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

  const tooSmall =
    `the database of ${runtime} takes connections but does not answer: is a pooler's pool_size too small?`

  const unlimited = "The limits of a session do not hold, because a pooler ignores them: run \"" +
    "alter role vrss_app set client_connection_check_interval = '2s'; " +
    "alter role vrss_app set idle_in_transaction_session_timeout = '15s'; " +
    "alter role vrss_app set statement_timeout = '30s'; " +
    "alter role vrss_app set lock_timeout = '10s'" +
    `" as an administrator and restart the pooler; ${runbook}.`

  const refusing = `${runtime} leads to a pooler that refuses the limits of a session: in PgBouncer, ` +
    `set ignore_startup_parameters = ${names}, and the limits for the role; ${runbook}`

  test.each<[string, Record<string, string | number>, string]>([
    ["in transaction mode with one session", { ...ignored, pool_mode: "transaction", default_pool_size: 1 },
      pooled(runtime, pastIt)],
    ["in transaction mode with 20 sessions", { ...ignored, pool_mode: "transaction", default_pool_size: 20 },
      pooled(runtime, pastIt)],
    ["in statement mode", { ...ignored, pool_mode: "statement", default_pool_size: 20 }, pooled(runtime, pastIt)],
    [
      "in transaction mode, even if the pooler uses its server connections in turn",
      { ...ignored, pool_mode: "transaction", server_round_robin: 1, min_pool_size: 5 },
      pooled(runtime, pastIt)
    ],
    ["with the settings that Debian installs, which name what to set", {}, refusing],
    ["in session mode, if the pooler ignores the timeouts that the service sets", ignored, unlimited],
    ["in session mode with a single session", { ...ignored, default_pool_size: 1 }, tooSmall]
  ])("%s a start is refused by one line", async (what, settings, line) => {
    assert.deepStrictEqual(await start(what.replaceAll(/\W/g, "-"), settings), [line])
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
