import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, giveGrant, randomAddress, signInProvider, signInVeteran } from "../../support/Client.ts"
import { isMissing } from "../../support/Programs.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const { service } = await openApp()

const read = async () => (await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })).text

/** Returns the value of one series in Prometheus' text format. */
const value = (text: string, series: string) => {
  const line = text.split("\n").find((line) => line.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

/** The metrics that docs/operator.md lists in the section "Metrics", without those of a bucket (bucket-hangs.*). */
const documented = readFileSync(new URL("../../../docs/operator.md", import.meta.url), "utf8")
  .split("\n## Metrics\n")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .filter((line) => !line.includes("Only with `UPLOAD_URL`"))
  .flatMap((line) => /^\| `(\w+)` +\| (.+?) +\|$/.exec(line)?.[1] ?? [])

/** These logins cost no password hash, because their body is not JSON; the 31st exceeds the limit. */
const meetLimit = async () => {
  const headers = { "x-forwarded-for": randomAddress() }
  for (let n = 0; n < 31; n++) await call(service, "POST", "/api/provider/login", { headers, body: "{" })
}

describe("GET /api/admin/metrics", () => {
  test("counts requests, refusals and work", async () => {
    const veteran = await signInVeteran(service)
    await signInProvider(service)
    const before = await read()
    await sync(service, veteran, { Condition: "complete" }, {
      Condition: [resource("Condition", "a"), resource("Condition", "b")]
    })
    await call(service, "POST", "/api/provider/login", { body: { email: "nobody@clinic.example", password: "wrong" } })
    await meetLimit()
    const after = await read()
    const rise = (series: string) => value(after, series)! - (value(before, series) ?? 0)
    assert.strictEqual(rise("sync_items_sum"), 2)
    assert.strictEqual(rise("sync_items_count"), 1)
    assert.isAbove(rise("sync_body_bytes_sum"), 100)
    assert.strictEqual(rise(`provider_logins_total{credentials="wrong"}`), 1)
    assert.strictEqual(rise(`provider_logins_total{credentials="right"}`), 0)
    assert.strictEqual(rise(`rate_limited_total{limit="POST /api/provider/login"}`), 1)
    assert.isAtLeast(value(after, `database_connections{pool="sync"}`)!, 1)
    assert.isAtMost(value(after, `database_connections{pool="own"}`)!, 10)
    assert.strictEqual(value(after, `database_connections_max{pool="own"}`), 9)
    // A background task may have a transaction at this moment.
    await until(
      "no transaction runs",
      async () => value(await read(), `database_transactions_running{pool="own"}`) === 0
    )
    assert.isAtLeast(value(after, "http_connections")!, 1)
    assert.isAtLeast(value(after, "process_open_fds")!, 10)
    assert.strictEqual(rise(`database_errors_total{class="53"}`), 0)
  })

  test("has exactly the metrics for which docs/operator.md gives an alarm, each with a HELP line", async () => {
    await meetLimit()
    await until("the outbox was looked at", async () => (await read()).includes("outbox_mails"))
    const text = await read()
    const named = (kind: string) =>
      [...text.matchAll(new RegExp(`^# ${kind} (\\w+) \\S`, "gm"))].map(([, name]) => name!)
    assert.deepStrictEqual(named("TYPE").sort(), documented.toSorted())
    assert.deepStrictEqual(named("HELP").sort(), documented.toSorted())
  })

  test("is text that counts requests by their route's template, and contains no id", async () => {
    const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
    const { id } = await giveGrant(service, veteran, provider)
    await call(service, "GET", `/api/veteran/${veteran.id}`, { headers: veteran.headers })
    await call(service, "POST", `/api/veteran/${veteran.id}/consent-grants/${id}/revoke`, { headers: veteran.headers })
    await call(service, "GET", `/nowhere/${veteran.id}`)
    const { headers, text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    for (const name of [provider.email, veteran.vaPatientId]) assert.notInclude(text, name)
    assert.notMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-/i)
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    for (const line of lines) {
      assert.match(line, /^[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="([^"\\\n]|\\["\\n])*",?)*\})? (\+Inf|-?[\d.e+-]+)$/)
    }
    const about = (name: string) =>
      lines.filter((line) =>
        line.startsWith(`http_request_duration_seconds_${name}{`) &&
        ["GET", "/api/veteran/:veteranId", "200"].every((label) => line.includes(`="${label}"`))
      ).map((line) => Number(line.split(" ").at(-1)))
    const [[count], buckets] = [about("count"), about("bucket")]
    assert.isAtLeast(count!, 1)
    assert.deepStrictEqual(buckets, buckets.toSorted((one, other) => one - other))
    assert.strictEqual(buckets.at(-1), count)
  })

  const promtool = !isMissing("promtool")

  test.runIf(promtool)("is text that Prometheus accepts without a complaint (needs promtool)", async () => {
    const { status, stderr, stdout } = spawnSync("promtool", ["check", "metrics"], {
      input: await read(),
      encoding: "utf8"
    })
    assert.deepStrictEqual([status, stdout, stderr], [0, "", ""])
  })
})
