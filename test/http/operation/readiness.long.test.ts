import { once } from "node:events"
import { mkdir, readdir, rename } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { afterAll, assert, describe, onTestFinished, test } from "vitest"
import { openDatabase, openFolder, openService } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import { logged, until } from "../../support/Until.ts"

const database = await openDatabase()

const folder = await openFolder()

const uploads = join(folder, "uploads")

await mkdir(uploads)

const mailbox = await openMailbox()

afterAll(mailbox.close)

const service = await openService(database, { UPLOAD_DIR: uploads, SMTP_URL: mailbox.url })

const ready = async (service: { readonly url: string }) => {
  const { json, status } = await call(service, "GET", "/api/ready")
  return { status, dependencies: json.dependencies, reasons: json.reasons }
}

const ok = { database: "ok", uploads: "ok", mail: "ok" }

describe("GET /api/ready", () => {
  test("reports what is wrong with UPLOAD_DIR, and leaves nothing there", async () => {
    assert.deepStrictEqual(await ready(service), { status: 200, dependencies: ok, reasons: undefined })
    assert.deepStrictEqual(await readdir(join(uploads, "tmp")), [])
    await rename(uploads, join(folder, "away"))
    const missing = await until("it is missed", async () => {
      const answer = await ready(service)
      return answer.status === 503 && answer
    })
    assert.deepStrictEqual(missing, {
      status: 503,
      dependencies: { ...ok, uploads: "unavailable" },
      reasons: { uploads: "the folder of UPLOAD_DIR is missing: is its disk mounted?" }
    })
    assert.deepStrictEqual(await readdir(folder), ["away"])
    await rename(join(folder, "away"), uploads)
    await until("it is ready", async () => (await ready(service)).status === 200)
  })

  test("reports that a standby does not accept writes", async () => {
    const owner = await database.connect("superuser")
    await owner.query(`alter database ${database.name} set default_transaction_read_only = on`)
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'vrss' and datname = current_database()"
    )
    const answer = await until("it is told", async () => {
      const answer = await ready(service)
      return answer.reasons?.database?.includes("25006") && answer
    })
    assert.deepStrictEqual(answer, {
      status: 503,
      dependencies: { ...ok, database: "unavailable" },
      reasons: { database: "the database is read-only, as a standby is (25006)" }
    })
    const login = await call(service, "POST", "/api/provider/login", {
      body: { email: "nobody@clinic.example", password: "wrong password" }
    })
    assert.strictEqual(login.status, 503)
    await logged(service, "answered 503: the database is read-only")
    await owner.query(`alter database ${database.name} reset default_transaction_read_only`)
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'vrss' and datname = current_database()"
    )
    await until("it is ready", async () => (await ready(service)).status === 200)
  })

  // The words for each fault of a mail server are tested in test/services/mail/Mailer.faults.long.test.ts.
  test("answers 200 if only the mail server is down, and checks once for many parallel requests", async () => {
    let greeted = 0
    const server = createServer((socket) => {
      greeted++
      socket.on("error", () => {}).end("421 not now\r\n")
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const service = await openService(database, { UPLOAD_DIR: uploads, SMTP_URL: `smtp://me:canary@127.0.0.1:${port}` })
    // The start says it, and runs.
    await logged(service, "; until SMTP_URL's server can be used, one-time codes answer 503 and notices wait")
    assert.notInclude(service.output(), "canary")
    assert.strictEqual(greeted, 1)
    const answers = await Promise.all(Array.from({ length: 60 }, () => ready(service)))
    for (const { dependencies, reasons, status } of answers) {
      assert.deepStrictEqual(Object.keys(reasons), ["mail"])
      assert.deepStrictEqual([status, dependencies], [200, { ...ok, mail: "unavailable" }])
    }
    assert.strictEqual(greeted, 2)
  })
})
