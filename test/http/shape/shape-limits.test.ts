import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const unknown = "00000000-0000-7000-8000-000000000000"

test.each([
  ["roi/{documentId}/fhir", `roi/${unknown}/fhir`, 404],
  ["consent-grants/{grantId}/fhir", `consent-grants/${unknown}/fhir`, 404],
  ["disclosures/fhir", "disclosures/fhir", 200]
])("A veteran reads %s 600 times a minute, and then gets 429, which limits nobody else", async (_, path, status) => {
  const veteran = await signInVeteran(service)
  const other = await signInVeteran(service)
  const read = ({ headers } = veteran) => call(service, "GET", `/api/veteran/me/${path}`, { headers })
  await superuser.query("truncate rate_limit_spendings")
  assert.strictEqual((await read()).status, status)
  const { rows } = await superuser.query("select distinct key from rate_limit_spendings")
  assert.lengthOf(rows, 1)
  // As if 599 requests had just been answered. They lie ahead, so that a slow machine forgets none of them.
  await superuser.query("truncate rate_limit_spendings")
  await superuser.query(
    "insert into rate_limit_spendings values ($1, clock_timestamp() + interval '10 minutes', 599)",
    [rows[0].key]
  )
  assert.strictEqual((await read()).status, status)
  const { headers, json, status: refused } = await read()
  assert.strictEqual(refused, 429)
  assert.strictEqual(json.error, "rate_limited")
  assert.strictEqual(headers.get("retry-after"), `${json.retryAfterSeconds}`)
  assert.isAtLeast(json.retryAfterSeconds, 1)
  assert.strictEqual((await read(other)).status, status)
})
