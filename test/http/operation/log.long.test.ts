import { once } from "node:events"
import { rm } from "node:fs/promises"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { asAdmin, call, randomAddress, signInVeteran } from "../../support/Client.ts"
import { instant } from "../../support/Formats.ts"
import { launch } from "../../support/Service.ts"
import { logged, until } from "../../support/Until.ts"

const database = await openDatabase()

const metric = async (service: { readonly url: string }, name: string) => {
  const answer = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
  return Number(new RegExp(`^${name} (\\d+)`, "m").exec(answer.text)?.[1])
}

const linesOf = (output: string) => output.trimEnd().split("\n")

describe("LOG_FORMAT", () => {
  test("json: each line of the process is one JSON object with time, level and message or route", async () => {
    const service = await openService(database, { LOG_FORMAT: "json", SMTP_URL: "smtp://127.0.0.1:1" })
    const waitlist = await call(service, "POST", "/api/waitlist", { body: { email: "somebody@example.org" } })
    assert.strictEqual(waitlist.status, 202)
    await logged(service, "mail not sent")
    const superuser = await database.connect("superuser")
    await superuser.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'vrss' and datname = current_database()"
    )
    await logged(service, "transfers: ")
    assert.strictEqual(await service.stop(), 0)
    const lines = linesOf(service.output()).map((line) => JSON.parse(line))
    for (const { level, message, route, time } of lines) {
      assert.match(time, instant)
      assert.include(["info", "warn", "error"], level)
      assert.isString(message ?? route)
    }
    assert.deepInclude(lines.find(({ message }) => message?.startsWith("listening")), { level: "info" })
    assert.deepInclude(lines.find(({ message }) => message?.startsWith("transfers: ")), {
      level: "warn",
      message: "transfers: the database is being shut down, or an administrator ended the connection",
      sqlState: "57P01"
    })
  })

  test("text: each line begins with date and time in UTC and the level", async () => {
    const service = await openService(database, { LOG_FORMAT: "text", TZ: "America/New_York" })
    const answer = await call(service, "GET", "/health")
    assert.strictEqual(await service.stop(), 0)
    const lines = linesOf(service.output())
    for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (INFO |WARN ) \S/)
    const id = answer.headers.get("x-request-id")!
    const [line] = lines.filter((line) => line.includes(id))
    assert.match(line!, / INFO  route=\/health method=GET status=200 requestId=[0-9a-f-]{36} ms=\d/)
    assert.isAtMost(Math.abs(Date.parse(line!.split(" ")[0]!) - Date.now()), 3_600_000)
  })

  test("any other value prevents the start", async () => {
    const { directory, output, process: child } = await launch({ APP_ENV: "test", LOG_FORMAT: "xml" })
    const [status] = await once(child, "close")
    await rm(directory, { recursive: true })
    assert.deepStrictEqual([status, output()], [1, "LOG_FORMAT must be 'json' or 'text'\n"])
  })
})

describe("The log of a request", () => {
  test("has the request's id on each line, and reports a database error in words with the SQLSTATE", async () => {
    const service = await openService(database)
    const veteran = await signInVeteran(service)
    const superuser = await database.connect("superuser")
    await superuser.query(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'c4n4ry' using errcode = 'disk_full'; end $$`)
    await superuser.query(
      "create trigger full_disk before insert on self_reported_entries for each row execute function full_disk()"
    )
    const body = { category: "note", text: "c4n4ry" }
    const answer = await call(service, "POST", "/api/veteran/me/self-reported-entries", { ...veteran, body })
    assert.strictEqual(answer.status, 503)
    await service.stop()
    const requestId = answer.headers.get("x-request-id")
    const lines = linesOf(service.output()).map((line) => JSON.parse(line)).filter((line) =>
      line.requestId === requestId
    )
    assert.deepStrictEqual(lines.map(({ at: _, ms: __, time: ___, ...line }) => line), [
      { level: "warn", message: "answered 503: the database's disk is full", requestId, sqlState: "53100" },
      { level: "error", route: "/api/veteran/:veteranId/self-reported-entries", method: "POST", status: 503, requestId }
    ])
    assert.notInclude(service.output(), "c4n4ry")
  })
})

describe("Node's own messages", () => {
  test("are logged without their text, whether a warning or an uncaught error that ends the process", async () => {
    const program = fileURLToPath(new URL("../../support/uncaught.ts", import.meta.url))
    const service = await openService(database, {}, program)
    service.process.kill("SIGHUP")
    await logged(service, "Node warns")
    const last = await call(service, "GET", "/health")
    service.process.kill("SIGUSR2")
    const [code] = await once(service.process, "close")
    assert.strictEqual(code, 1)
    const lines = linesOf(service.output()).map((line) => JSON.parse(line))
    assert.deepInclude(lines.find(({ message }) => message === "Node warns"), {
      level: "warn",
      defect: "DeprecationWarning",
      errno: "DEP0001"
    })
    assert.deepInclude(lines.at(-1), {
      level: "fatal",
      message: "an error that nobody caught ends the process",
      defect: "TypeError"
    })
    assert.include(service.output(), last.headers.get("x-request-id")!)
    assert.notInclude(service.output(), "c4n4ry")
  })
})

/** Sends 100 requests on each of 36 connections without waiting, and asserts that each is answered. */
const askMany = ({ url }: { readonly url: string }) =>
  Promise.all(Array.from({ length: 36 }, async () => {
    const socket = connect(Number(new URL(url).port), "localhost")
    const request = `GET /nothing HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${randomAddress()}\r\n`
    socket.write(`${request}\r\n`.repeat(99) + `${request}connection: close\r\n\r\n`)
    assert.lengthOf((await text(socket)).match(/HTTP\/1.1 404/g)!, 100)
  }))

describe("A stalled reader of standard output", () => {
  test("delays no answer; lines beyond a limit are dropped, counted, and reported once reading resumes", async () => {
    const service = await openService(database)
    service.process.stdout!.pause()
    // The pipe holds 64 KiB and the process 1 MiB. A line has about 150 bytes, so over 7,000 lines fill both.
    await until("lines are dropped", async () => {
      await askMany(service)
      return (await metric(service, "log_lines_dropped_total")) > 0
    })
    const memory = await metric(service, "process_resident_memory_bytes")
    await askMany(service)
    assert.isBelow(await metric(service, "process_resident_memory_bytes"), memory + 64 * 1024 * 1024)
    service.process.stdout!.resume()
    const told = /"message":"(\d+) lines of the log were dropped/
    await until("the loss is told", async () => told.test(service.output()))
    assert.isAtLeast(Number(told.exec(service.output())![1]), 3600)
    const last = await call(service, "GET", "/health")
    await logged(service, last.headers.get("x-request-id")!)
    assert.strictEqual(await service.stop(), 0)
  })
})
