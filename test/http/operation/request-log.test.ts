import { setTimeout } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { openOwnApp } from "../../support/App.ts"
import {
  type Answer,
  asAdmin,
  bearer,
  call,
  signInProvider,
  signInVeteran,
  withExchangeSecret
} from "../../support/Client.ts"
import { instant } from "../../support/Formats.ts"
import { exchange, parseAnswer, send } from "../../support/Raw.ts"
import { logged } from "../../support/Until.ts"

const { database, service } = await openOwnApp()

const superuser = await database.connect("superuser")

/** Waits until the log has the line of a new request, which comes after the lines of all answered requests. */
const written = async () => logged(service, idOf(await call(service, "GET", "/health"))!)

/** Returns all lines of the log. */
const linesOf = async (): Promise<ReadonlyArray<Record<string, unknown>>> => {
  await written()
  const lines = service.output().split("\n").filter((line) => line.startsWith("{"))
  return lines.map((line) => JSON.parse(line))
}

const idOf = (answer: Answer) => answer.headers.get("x-request-id")

describe("The log", () => {
  test("has one line for each request, with the route's template and without values", async () => {
    const veteran = await signInVeteran(service)
    const id = "01a1fea0-0000-7000-8000-000000000000"
    const expected: ReadonlyArray<readonly [Answer, string, string, number, string]> = [
      [await call(service, "GET", "/health"), "GET", "/health", 200, "info"],
      [await call(service, "HEAD", "/health"), "HEAD", "/health", 200, "info"],
      [await call(service, "GET", "/api/veteran/me?x=y", veteran), "GET", "/api/veteran/:veteranId", 400, "info"],
      [await call(service, "DELETE", `/api/veteran/me/self-reported-entries/${id}`, veteran), "DELETE",
        "/api/veteran/:veteranId/self-reported-entries/:entryId", 404, "info"],
      [await call(service, "POST", "/api/provider/login", { body: "{" }), "POST", "/api/provider/login", 400, "info"],
      [await call(service, "GET", "/nothing/at/all"), "GET", "unmatched", 404, "info"],
      [await call(service, "PUT", `/api/veteran/${id}`), "PUT", "unmatched", 405, "info"],
      [await call(service, "OPTIONS", "/health"), "OPTIONS", "unmatched", 204, "info"],
      [parseAnswer(await exchange(service, "GARBAGE\r\n\r\n")), "unknown", "unmatched", 400, "info"]
    ]
    const lines = await linesOf()
    for (const [answer, method, route, status, level] of expected) {
      const [line, ...more] = lines.filter(({ requestId }) => requestId === idOf(answer))
      assert.lengthOf(more, 0)
      const { ms, requestId: _, time, ...rest } = line!
      assert.deepStrictEqual(rest, { level, route, method, status })
      assert.isAtLeast(ms as number, 0)
      assert.match(time as string, instant)
    }
  })

  test("uses level 'error' for a request that failed with a defect, and has the id that the client got", async () => {
    const veteran = await signInVeteran(service)
    await superuser.query("alter table consent_grants rename to away")
    const answer = await call(service, "GET", "/api/veteran/me/consent-grants", veteran)
    await superuser.query("alter table away rename to consent_grants")
    const [defect, request] = (await linesOf()).filter(({ requestId }) => requestId === idOf(answer))
    assert.deepInclude(defect, { level: "error", defect: "SqlError", sqlState: "42P01" })
    assert.isNotEmpty(defect!["at"])
    assert.deepInclude(request, { level: "error", route: "/api/veteran/:veteranId/consent-grants", status: 500 })
  })
})

const canary = "c4n4ry"

describe("Neither standard output nor standard error", () => {
  /** Sends each kind of request, with the canary in every place that a client controls. */
  const plant = async (
    own: { readonly headers: Record<string, string> },
    provider: { readonly headers: Record<string, string> }
  ) => {
    const spoken = {
      "x-request-id": canary,
      "user-agent": canary,
      "cookie": `session=${canary}`,
      "referer": `https://${canary}.example/`,
      "x-user-id": canary,
      "x-forwarded-for": canary,
      "x-forwarded-host": canary,
      "accept-language": canary,
      [canary]: canary
    }
    const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
      send(service, method, path, {
        headers: { ...spoken, ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
    const person = { vaPatientId: canary, callSign: canary, email: `${canary}@example.org` }
    return [
      await ask("GET", `/health?${canary}=${canary}`),
      await ask("GET", `/${canary}?${canary}`),
      await ask("PUT", `/api/veteran/${canary}`),
      await ask("GET", `/api/veteran/${canary}/consent-grants?cursor=${canary}&limit=${canary}`, own.headers),
      await ask("GET", "/api/veteran/me", bearer(canary)),
      await ask("GET", `/api/veteran/me/provider-directory?email=${canary}@example.org`, own.headers),
      await ask("POST", "/api/auth/veteran/session", { "x-veteran-session-exchange": canary }, { vaPatientId: canary }),
      await ask("POST", "/api/auth/veteran/session", withExchangeSecret, { vaPatientId: canary }),
      await ask("POST", "/api/provider/login", {}, { email: `${canary}@example.org`, password: canary }),
      await ask("POST", "/api/provider/login", {}, { [canary]: canary }),
      await ask("POST", "/api/provider/login", {}, `{"${canary}`),
      await ask("POST", "/api/provider/login", {}, canary.repeat(1000)),
      await ask("POST", "/api/provider/login", { "content-encoding": canary }, canary),
      await ask("POST", "/api/admin/veterans", { "x-internal-admin-secret": canary }, person),
      await ask("POST", "/api/admin/veterans", asAdmin, person),
      await ask("POST", "/api/admin/veterans", asAdmin, person),
      await ask("POST", "/api/admin/providers", asAdmin, {
        email: `${canary}@example.org`,
        password: `${canary} ${canary}`,
        displayName: canary,
        organization: canary
      }),
      await ask("POST", "/api/waitlist", {}, { email: `${canary}@example.org` }),
      await ask("POST", "/api/veteran/me/self-reported-entries", own.headers, { category: "note", text: canary }),
      await ask("POST", "/api/veteran/me/consent-grants", own.headers, {
        providerId: "01a1fea0-0000-7000-8000-000000000000",
        resourceTypes: null,
        sensitiveCategories: [],
        includeSelfReported: true,
        includeDocuments: true,
        purpose: canary,
        expiresAt: "2100-01-01T00:00:00Z"
      }),
      await ask("POST", "/api/veteran/me/health-record/sync", own.headers, {
        fhirResourceFetchStatuses: { Condition: "complete" },
        resources: { Condition: [{ resourceType: "Condition", id: canary, text: canary }] }
      }),
      await ask("GET", `/api/veteran/me/health-record?resourceType=${canary}`, own.headers),
      await ask("POST", `/api/provider/patients/${canary}/notes`, provider.headers, { text: canary }),
      parseAnswer(await exchange(service, `GET /${canary} HTTP/9.9\r\n${canary}: ${canary}\r\n\r\n`)),
      parseAnswer(await exchange(service, `${canary}\r\n\r\n`))
    ].map(({ status }) => status)
  }

  const assertNoCanary = async () => {
    await written()
    assert.notInclude(service.output().toLowerCase(), canary)
    assert.notInclude(service.output().toLowerCase(), Buffer.from(canary).toString("hex"))
  }

  test("repeats anything that a client sent, for any status of the answer", async () => {
    const statuses = await plant(await signInVeteran(service), await signInProvider(service))
    assert.sameMembers([...new Set(statuses)], [200, 201, 202, 400, 401, 404, 405, 409, 413, 415])
    await assertNoCanary()
  })

  test("repeats anything that a client sent when every statement fails", async () => {
    const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
    // Nobody whom the test before registered has the canary any more, so the statements are made again.
    await superuser.query(`
      update veterans set va_patient_id = id::text where va_patient_id = '${canary}';
      update providers set email = id || '@example.org' where email = '${canary}@example.org';
      delete from waitlist_signups`)
    // The parameters of these statements hold the canary, and the server quotes them in its details.
    await superuser.query(`
      create function broken() returns trigger language plpgsql as
        $$ begin raise exception 'broken by %', new using detail = new::text, hint = new::text; end $$`)
    for (
      const table of [
        "veterans",
        "providers",
        "waitlist_signups",
        "consent_grants",
        "health_record_items",
        "self_reported_entries"
      ]
    ) {
      await superuser.query(
        `create trigger broken before insert or update on ${table} for each row execute function broken()`
      )
    }
    assert.include(await plant(veteran, provider), 500)
    await assertNoCanary()
  })
})

// The last test: after it, nobody reads the service's log.
test("The log may lose its reader without ending the service", async () => {
  service.process.stdout!.destroy()
  service.process.stderr!.destroy()
  for (let round = 0; round < 3; round++) {
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
    // The service writes its log every 50 ms, so it tries to write within this pause.
    await setTimeout(200)
  }
  assert.isNull(service.process.exitCode)
})
