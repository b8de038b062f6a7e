import { assert, describe, test } from "vitest"
import { openDatabase, openService, used } from "../../support/App.ts"
import { asAdmin, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { attribute, openCollector } from "../../support/Collector.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const database = await openDatabase()

const canary = "c4n4ry"

describe("With OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  test("requests and log lines are exported, without anything that a client sent or that is stored", async () => {
    const collector = await used(openCollector())
    const service = await openService(database, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=s3cret%20key",
      OTEL_SERVICE_NAME: "records"
    })
    const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", canary)] })
    const { id: grantId } = await giveGrant(service, veteran, provider)
    const record = await call(service, "GET", `/api/provider/patients/${veteran.id}/record?resourceType=Condition`, {
      headers: {
        ...provider.headers,
        "user-agent": canary,
        traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-00`
      }
    })
    assert.strictEqual(record.status, 200)
    await call(service, "GET", `/${canary}?${canary}=${canary}`)
    await call(service, "POST", "/api/provider/login", { body: { email: `${canary}@example.org`, password: canary } })
    const superuser = await database.connect("superuser")
    await superuser.query(`create function broken() returns trigger language plpgsql as
      $$ begin raise exception 'broken by %', new using detail = new::text; end $$`)
    await superuser.query(
      "create trigger broken before insert on waitlist_signups for each row execute function broken()"
    )
    const broken = await call(service, "POST", "/api/waitlist", { body: { email: `${canary}@example.org` } })
    assert.strictEqual(broken.status, 500)
    // Before it exits, the service sends the spans and log lines that wait.
    assert.strictEqual(await service.stop(), 0)

    const spans = collector.spans()
    const server = spans.filter(({ kind }) => kind === 2)
    const [view] = server.filter(({ name }) => name === "GET /api/provider/patients/:veteranId/record")
    assert.strictEqual(attribute(view!, "http.response.status_code"), 200)
    assert.strictEqual(attribute(view!, "http.route"), "/api/provider/patients/:veteranId/record")
    assert.notStrictEqual(view!.traceId, "ab".repeat(16), "a client does not steer what is traced")
    assert.isUndefined(view!.parentSpanId)
    const within = spans.filter(({ traceId }) => traceId === view!.traceId)
    assert.isTrue(within.some(({ name }) => name === "Patients.record"), within.map(({ name }) => name).join())
    assert.isTrue(within.some((span) => `${attribute(span, "db.query.text")}`.trim().startsWith("select ")))
    assert.isTrue(server.some(({ name }) => name === "GET unmatched"))
    assert.isFalse(server.some(({ name }) => name === "GET /health"))
    const failed = server.find(({ name }) => name === "POST /api/waitlist")!
    assert.deepStrictEqual(failed.status, { code: 2, message: "SqlError UnknownError P0001" })

    const line = collector.lines().find((line) => attribute(line, "requestId") === record.headers.get("x-request-id"))!
    assert.strictEqual(line.traceId, view!.traceId)
    assert.strictEqual(line.severityText, "info")
    assert.strictEqual(attribute(line, "route"), "/api/provider/patients/:veteranId/record")
    const defect = collector.lines().find((line) => attribute(line, "sqlState") === "P0001")!
    assert.strictEqual(defect.severityText, "error")

    const sent = collector.received.map(({ text }) => text).join("\n")
    const secrets = [canary, veteran.id, provider.id, grantId, provider.email, veteran.vaPatientId, veteran.token,
      "s3cret", "127.0.0.1", service.directory, "broken by"]
    for (const secret of secrets) assert.notInclude(sent, secret)
    assert.include(sent, `{"key":"service.name","value":{"stringValue":"records"}}`)
    for (const { headers } of collector.received) assert.strictEqual(headers["x-key"], "s3cret key")
    assert.notInclude(service.output(), collector.url)
  })

  test.each(["refuses", "hangs"] as const)("a collector that %s affects no request", async (manner) => {
    const collector = await used(openCollector())
    collector.become(manner)
    const service = await openService(database, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const veteran = await signInVeteran(service)
    await until("the collector failed", async () => {
      assert.strictEqual((await call(service, "GET", "/nothing")).status, 404)
      return service.output().includes("telemetry: OTEL_EXPORTER_OTLP_ENDPOINT")
    })
    assert.strictEqual((await call(service, "GET", "/api/veteran/me", veteran)).status, 200)
    const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    assert.match(text, /^telemetry_export_failures_total [1-9]/m)
    assert.isAtMost(service.output().split("telemetry:").length - 1, 2)
    for (const line of service.output().trimEnd().split("\n")) assert.doesNotThrow(() => JSON.parse(line), line)
    assert.strictEqual(await service.stop(), 0)
  })

  test("an unreachable endpoint affects neither the start, nor requests, nor an orderly end", async () => {
    const service = await openService(database, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })
    const veteran = await signInVeteran(service)
    assert.strictEqual((await call(service, "GET", "/api/veteran/me", veteran)).status, 200)
    assert.strictEqual(await service.stop(), 0)
  })
})
