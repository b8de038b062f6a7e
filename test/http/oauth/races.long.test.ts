import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { type Answer, asAdmin, bearer, call, signInVeteran } from "../../support/Client.ts"
import { startService } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { giveCode, isActive, noteMails, post, proofsOf, redeem, refresh, registerClient, shown } from "./Grants.ts"

const { database, service } = await openApp()

/** To their clients both processes are one authorization server. */
const sameServer = { OAUTH_ISSUER: service.url }

const second = await openService(database, sameServer)

const runtime = await database.connect("runtime")

const owner = await database.connect("owner")

const mailsAbout = await noteMails(owner)

const veteran = await signInVeteran(service)

const client = await registerClient(service, { confidential: true })

const processOf = (index: number) => index % 2 === 0 ? service : second

const connect = async () => {
  const given = await giveCode(runtime, client, veteran)
  return { ...given, ...(await redeem(service, client, given)).json }
}

/** Asserts that at most one set of tokens was given, and that no known token works in any process. */
const assertDead = async (
  answers: ReadonlyArray<Answer>,
  grantId: string,
  reason: string,
  known: ReadonlyArray<Answer["json"]> = []
) => {
  const given = answers.filter(({ status }) => status === 200)
  assert.isAtMost(given.length, 1)
  for (const { json, status } of answers) {
    if (status !== 200) assert.deepStrictEqual([status, json.error], [400, "invalid_grant"])
  }
  for (const one of [service, second]) {
    for (const tokens of [...given.map(({ json }) => json), ...known]) {
      assert.isFalse(await isActive(one, client, tokens.access_token))
      const read = await call(one, "GET", `/api/fhir/R4/Patient/${veteran.id}`, {
        headers: bearer(tokens.access_token)
      })
      assert.strictEqual(read.status, 401)
    }
  }
  for (const { json } of given) assert.strictEqual((await refresh(second, client, json.refresh_token)).status, 400)
  const { rows } = await owner.query("select status, ended_by from consent_grants where id = $1", [grantId])
  assert.deepStrictEqual(rows, [{ status: "revoked", ended_by: reason }])
  assert.deepStrictEqual(await mailsAbout(grantId), ["app_connected", "app_replayed"])
}

const rounds = Array.from({ length: 3 }, (_, index) => [index])

describe("Over two processes", () => {
  test.each(rounds)(
    "16 parallel exchanges of one code give at most one set of tokens, which the replay revokes (%s)",
    async () => {
      const given = await giveCode(runtime, client, veteran)
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) => redeem(processOf(index), client, given))
      )
      await assertDead(answers, given.grantId, "code_replay")
    }
  )

  test.each(rounds)("8 parallel refreshes give at most one set of tokens, and the reuse revokes it (%s)", async () => {
    const tokens = await connect()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => refresh(processOf(index), client, tokens.refresh_token))
    )
    await assertDead(answers, tokens.grantId, "refresh_replay", [tokens])
  })

  const endings: ReadonlyArray<
    readonly [string, (tokens: { grantId: string; refresh_token: string; access_token: string }) => Promise<Answer>]
  > = [
    ["the app with its refresh token",
      ({ refresh_token }) => post(service, "/api/oauth/revoke", { token: refresh_token, ...shown(client) })],
    ["the app with its access token",
      ({ access_token }) => post(service, "/api/oauth/revoke", { token: access_token, ...shown(client) })],
    ["the veteran", ({ grantId }) => call(service, "POST", `/api/veteran/me/consent-grants/${grantId}/revoke`, veteran)]
  ]

  test.each(endings)("a revoke by %s ends the app's reads at once, even during a refresh", async (_who, end) => {
    const tokens = await connect()
    const path = `/api/fhir/R4/Patient/${veteran.id}`
    const headers = bearer(tokens.access_token)
    assert.strictEqual((await call(second, "GET", path, { headers })).status, 200)
    const refreshed = refresh(second, client, tokens.refresh_token)
    assert.strictEqual((await end(tokens)).status, 200)
    assert.strictEqual((await call(second, "GET", path, { headers })).status, 401)
    const { json, status } = await refreshed
    if (status === 200) assert.isFalse(await isActive(second, client, json.access_token))
    assert.isFalse(await isActive(second, client, tokens.access_token))
  })

  test("an app that is disabled in one process is refused by the other at its next request", async () => {
    const gone = await registerClient(service)
    const { json } = await redeem(service, gone, await giveCode(runtime, gone, veteran))
    const read = () => call(second, "GET", `/api/fhir/R4/Patient/${veteran.id}`, { headers: bearer(json.access_token) })
    assert.strictEqual((await read()).status, 200)
    await call(service, "POST", `/api/admin/oauth-clients/${gone.clientId}/disable`, { headers: asAdmin })
    assert.strictEqual((await read()).status, 401)
  })
})

describe("A process that is killed during a token request", () => {
  /** Runs `step` in a third process, and kills that process once the step waits for a lock on `table`. */
  const killedAt = async (table: string, step: (at: typeof service) => Promise<Answer>) => {
    const third = await startService(database, sameServer)
    const blocker = await database.connect("superuser")
    await blocker.query(`begin; lock table ${table} in access exclusive mode`)
    const waiting = async () => {
      const { rows } = await blocker.query("select pid from pg_locks where relation = $1::regclass and not granted", [
        table
      ])
      return rows[0]?.pid
    }
    const answer = step(third).then(() => "answered", () => "no answer")
    const pid = await until("the step waits", waiting)
    await third.stop("SIGKILL")
    assert.strictEqual(await answer, "no answer")
    await blocker.query("rollback")
    await until("the step is over", async () => {
      const { rowCount } = await blocker.query("select from pg_stat_activity where pid = $1", [pid])
      return rowCount === 0
    })
  }

  test("has redeemed the code completely or not at all", async () => {
    const given = await giveCode(runtime, client, veteran)
    await killedAt("oauth_refresh_tokens", (at) => redeem(at, client, given))
    const { rows } = await owner.query(
      `select c.spent_at is not null as spent, t.grant_id is not null as given, g.expires_at > now() + interval '1 day' as open
       from oauth_codes c join consent_grants g on g.id = c.grant_id left join oauth_refresh_tokens t on t.grant_id = g.id
       where c.grant_id = $1`,
      [given.grantId]
    )
    const { given: isGiven, open, spent } = rows[0]
    assert.deepStrictEqual([isGiven, open], [spent, spent])
    assert.strictEqual((await redeem(service, client, given)).status, spent ? 400 : 200)
  })

  test("leaves the refresh token valid and writes no proof", async () => {
    const tokens = await connect()
    const before = await proofsOf(owner, veteran.id)
    await killedAt("proofs", (at) => refresh(at, client, tokens.refresh_token))
    assert.deepStrictEqual(await proofsOf(owner, veteran.id), before)
    assert.strictEqual((await refresh(service, client, tokens.refresh_token)).status, 200)
    assert.deepStrictEqual(await proofsOf(owner, veteran.id), [...before, "oauth_token_refreshed"])
  })
})
