import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import {
  asAdmin,
  askGrant,
  call,
  giveGrant,
  signIn,
  signInProvider,
  told,
  withExchangeSecret
} from "../../support/Client.ts"
import { renew, signInDevice } from "../../support/Device.ts"
import { postSync, resource, sync } from "../../support/Sync.ts"
import { createLink, step, verified, view } from "../link/Links.ts"
import { boxes, proved, registerApp, submit } from "../oauth/Asking.ts"
import { giveCode, redeem, registerClient } from "../oauth/Grants.ts"
import { sign, signed, upload } from "../release/Releases.ts"
import { readPatientRecord } from "../Sharing.ts"
import {
  ask,
  askAsOperator,
  cancel,
  deletionPath,
  forget,
  letTimePass,
  onlyAccountIsLeft,
  type Session
} from "./Deleting.ts"
import { newAddress, openSignIns } from "./SignIns.ts"

const { database, mailed, service, superuser, va, ...app } = await openSignIns()

const runtime = await database.connect("runtime")

const get = (path: string, { headers }: Pick<Session, "headers">) => app.get(path, headers)

const signInTo = async (email = newAddress()) => {
  const session = await signInDevice(service, va, "My phone", email)
  return { ...session, email, id: session.person.id, token: session.access.accessToken as string }
}

const mailTo = async (email: string, subject: string) => (await mailed(email, 1, subject))[0]!

const events = async (session: Session) =>
  (await get("/disclosures?limit=200", session)).json.items.map(({ actor, kind }: any) => `${kind} ${actor.kind}`)

/** Shares with a provider, an app and by a link. */
const shareAll = async (veteran: Awaited<ReturnType<typeof signInTo>>) => {
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
  const provider = await signInProvider(service)
  const grant = await giveGrant(service, veteran, provider)
  const client = await registerClient(service)
  const app = await giveCode(runtime, client, veteran)
  const { json: { access_token: token } } = await redeem(service, client, app)
  const link = await createLink(service, veteran)
  return { provider, grant, token, link, app }
}

describe("Asking for deletion", () => {
  test("needs the veteran's own call sign", async () => {
    const session = await signInTo()
    const wrong = await ask(service, session, { confirm: "Hawk" })
    assert.deepStrictEqual(told(wrong), [400, "invalid_request"])
    assert.deepStrictEqual(wrong.json.issues.map(({ path }: any) => path), [["confirm"]])
    for (const body of [{}, { confirm: "Eagle\0" }, { confirm: "\ud800" }]) {
      assert.deepStrictEqual(told(await ask(service, session, body)), [400, "invalid_request"])
    }
    assert.deepStrictEqual(told(await get("/deletion", session)), [404, "not_found"])
  })

  test("answers the end in 72 hours, the same when asked again, and the veteran reads and cancels it", async () => {
    const session = await signInTo()
    const answer = await ask(service, session)
    assert.strictEqual(answer.status, 202, answer.text)
    assert.deepStrictEqual(Object.keys(answer.json), ["endsAt"])
    assert.closeTo(Date.parse(answer.json.endsAt) - Date.now(), 72 * 3_600_000, 10_000)
    assert.deepStrictEqual((await ask(service, session)).json, answer.json)
    const found = await get("/deletion", session)
    assert.deepStrictEqual([found.status, found.json], [200, answer.json])
    const asked = await mailTo(session.email, "Your record is about to be deleted")
    assert.notInclude(asked.text, "Eagle")
    assert.strictEqual((await cancel(service, session)).status, 204)
    assert.strictEqual((await cancel(service, session)).status, 204)
    assert.deepStrictEqual(told(await get("/deletion", session)), [404, "not_found"])
    await mailTo(session.email, "Your record is not deleted")
    const kinds = await events(session)
    assert.includeMembers(kinds, ["deletion_asked veteran", "deletion_cancelled veteran"])
    assert.strictEqual(kinds.filter((kind: string) => kind.startsWith("deletion_")).length, 2)
  })

  test("ends every grant, app, link and release at once", async () => {
    const session = await signInTo()
    const { link, provider, token } = await shareAll(session)
    const viewSession = await verified(service, link)
    assert.strictEqual((await ask(service, session)).status, 202)
    assert.deepStrictEqual(told(await readPatientRecord(service, provider, session)), [403, "consent_required"])
    const read = await call(service, "GET", "/api/fhir/R4/Condition", { headers: { authorization: `Bearer ${token}` } })
    assert.strictEqual(read.status, 401)
    assert.deepStrictEqual(told(await step(service, "open", { token: link.token })), [410, "link_disabled"])
    assert.strictEqual((await view(service, viewSession)).status, 410)
    const { json: { release } } = await get(`/documents/${link.documentId}`, session)
    assert.strictEqual(release.status, "revoked")
    assert.deepStrictEqual((await get("/sharing", session)).json.items, [])
    assert.includeMembers(await events(session), [
      "grant_revoked veteran",
      "oauth_access_revoked veteran",
      "link_revoked veteran"
    ])
  })

  test("refuses new grants, apps, links, releases and syncs with 409, until it is cancelled", async () => {
    const session = await signInTo()
    const { link } = await shareAll(session)
    const app = await registerApp(await database.connect("owner"))
    const { browser, page } = await proved(service, app, session.email)
    assert.strictEqual((await ask(service, session)).status, 202)
    const provider = await signInProvider(service)
    const grant = () => askGrant(service, session, provider)
    const newLink = () =>
      call(service, "POST", "/api/veteran/me/secure-links", {
        headers: session.headers,
        body: { documentId: link.documentId, recipientName: "Jane", recipientEmail: "jane@clinic.example" }
      })
    const refused = [409, "deletion_pending"]
    assert.deepStrictEqual(told(await grant()), refused)
    assert.deepStrictEqual(told(await newLink()), refused)
    assert.deepStrictEqual(told(await sign(service, session)), refused)
    assert.deepStrictEqual(
      told(await postSync(service, session, { Condition: "complete" }, { Condition: [] })),
      refused
    )
    const choice = [["decision", "approve"], ["days", "90"],
      ...boxes(page.text, "type").map(([type]) => ["type", type])]
    const approved = await submit(service, "decision", browser, choice as any)
    assert.strictEqual(approved.status, 409)
    assert.include(approved.text, "Your records are about to be deleted")
    assert.strictEqual((await upload(service, session, "a letter")).status, 201)
    assert.strictEqual((await get("/health-record", session)).json.items.length, 1)
    assert.strictEqual((await cancel(service, session)).status, 204)
    assert.strictEqual((await grant()).status, 201)
    await signed(service, session)
    await sync(service, session, { Condition: "complete" }, { Condition: [] })
  })
})

describe("The operator", () => {
  const post = (id: string, path: string, body?: unknown) =>
    call(service, "POST", `/api/admin/veterans/${id}/${path}`, {
      headers: asAdmin,
      ...(body === undefined ? {} : { body })
    })

  test("ends all access: sessions, tokens, and all that is shared, in counts that are zero the next time", async () => {
    const session = await signInTo()
    const exchanged = await signIn(service, session.person)
    const { link, provider } = await shareAll(session)
    const ended = await post(session.id, "end-access")
    assert.deepStrictEqual([ended.status, ended.json], [
      200,
      { sessions: 1, grants: 1, apps: 1, links: 1, releases: 1 }
    ])
    assert.strictEqual((await get("", session)).status, 401)
    assert.strictEqual((await get("", exchanged as any)).status, 401)
    assert.strictEqual((await renew(service, session.device, session.sessionId)).status, 401)
    assert.deepStrictEqual(told(await readPatientRecord(service, provider, session)), [403, "consent_required"])
    assert.deepStrictEqual(told(await step(service, "open", { token: link.token })), [410, "link_disabled"])
    assert.deepStrictEqual((await post(session.id, "end-access")).json, {
      sessions: 0,
      grants: 0,
      apps: 0,
      links: 0,
      releases: 0
    })
    await mailTo(session.email, "All access to your record was ended")
    const { rows } = await superuser.query("select act, reason from admin_acts where target_id = $1", [session.id])
    assert.deepStrictEqual(rows.filter(({ act }) => act === "access_ended").length, 2)
    const again = await signIn(service, session.person)
    assert.includeMembers(await events(again as any), [
      "grant_revoked service",
      "oauth_access_revoked service",
      "link_revoked service",
      "session_ended service"
    ])
  })

  test("asks for a deletion with a reason, reads and cancels it, and each act is noted", async () => {
    const session = await signInTo()
    const path = `/api/admin/veterans/${session.id}/deletion`
    const state = () => call(service, "GET", path, { headers: asAdmin })
    assert.deepStrictEqual(told(await state()), [404, "not_found"])
    assert.deepStrictEqual(told(await post(session.id, "deletion", {})), [400, "invalid_request"])
    const asked = await post(session.id, "deletion", { reason: "ticket 7" })
    assert.strictEqual(asked.status, 202, asked.text)
    assert.closeTo(Date.parse(asked.json.endsAt) - Date.now(), 72 * 3_600_000, 10_000)
    assert.deepStrictEqual((await post(session.id, "deletion", { reason: "again" })).json, asked.json)
    assert.deepStrictEqual((await state()).json, asked.json)
    assert.deepStrictEqual((await get("/deletion", session)).json, asked.json)
    assert.strictEqual((await post(session.id, "deletion/cancel")).status, 204)
    assert.strictEqual((await post(session.id, "deletion/cancel")).status, 204)
    assert.deepStrictEqual(told(await state()), [404, "not_found"])
    const { rows } = await superuser.query("select act, reason from admin_acts where target_id = $1 order by at", [
      session.id
    ])
    assert.deepStrictEqual(rows.filter(({ act }) => act.startsWith("deletion")), [
      { act: "deletion_asked", reason: "ticket 7" },
      { act: "deletion_cancelled", reason: null }
    ])
    assert.includeMembers(await events(session), ["deletion_asked service", "deletion_cancelled service"])
    for (const route of ["end-access", "deletion/cancel"]) {
      assert.deepStrictEqual(told(await post(randomUUID(), route)), [404, "not_found"])
    }
    assert.deepStrictEqual(told(await post(randomUUID(), "deletion", { reason: "x" })), [404, "not_found"])
  })
})

describe("At the end of the 72 hours", () => {
  test("the veteran is unknown, and the same vaPatientId can be registered anew", async () => {
    const session = await signInTo()
    await askAsOperator(service, session.id)
    await forget(superuser, database, service, session.id)
    assert.strictEqual((await get("", session)).status, 401)
    assert.strictEqual((await call(service, "GET", deletionPath, { headers: session.headers })).status, 401)
    assert.strictEqual((await renew(service, session.device, session.sessionId)).status, 401)
    const exchange = () => signIn(service, session.person).catch((error: Error) => JSON.parse(error.message).error)
    assert.strictEqual(await exchange(), "veteran_not_found")
    for (const [method, path] of [["POST", "end-access"], ["GET", "deletion"], ["POST", "deletion/cancel"]] as const) {
      const answer = await call(service, method, `/api/admin/veterans/${session.id}/${path}`, { headers: asAdmin })
      assert.deepStrictEqual(told(answer), [404, "not_found"])
    }
    const code = await call(service, "POST", `/api/admin/veterans/${session.id}/pairing-code`, { headers: asAdmin })
    assert.deepStrictEqual(told(code), [404, "not_found"])
    for (const body of [{ email: "new@example.org" }, { callSign: "Hawk" }, { vaPatientId: `icn-${randomUUID()}` }]) {
      const change = await call(service, "PATCH", `/api/admin/veterans/${session.id}`, { headers: asAdmin, body })
      assert.deepStrictEqual(told(change), [404, "not_found"], change.text)
    }
    const { rows: [left] } = await superuser.query("select va_patient_id from veterans where id = $1", [session.id])
    const byRest = await call(service, "POST", "/api/auth/veteran/session", {
      headers: withExchangeSecret,
      body: { vaPatientId: left.va_patient_id }
    })
    assert.deepStrictEqual(told(byRest), [404, "veteran_not_found"])
    const done = await mailTo(session.email, "Your record was deleted")
    assert.notInclude(done.text, "Eagle")
    const anew = await call(service, "POST", "/api/admin/veterans", {
      headers: asAdmin,
      body: { vaPatientId: session.person.vaPatientId, callSign: "Eagle", email: session.email }
    })
    assert.strictEqual(anew.status, 201)
    assert.notStrictEqual(anew.json.id, session.id)
    const { rows: [{ kind }] } = await superuser.query(
      "select kind from proofs where veteran_id = $1 order by at desc limit 1",
      [session.id]
    )
    assert.strictEqual(kind, "deletion_done")
    await onlyAccountIsLeft(superuser, session.id)
  })

  test("nothing is taken before the time, and nothing of a veteran for whom nobody asked", async () => {
    const session = await signInTo()
    const takeStep = () =>
      runtime.query("select * from app.forget_veteran($1, 1800, 100)", [session.id]).then(({ rowCount }) => rowCount)
    assert.strictEqual(await takeStep(), 0)
    await askAsOperator(service, session.id)
    assert.strictEqual(await takeStep(), 0)
    assert.strictEqual((await get("", session)).status, 200)
    for (const step of ["begin_deletion($1, 1800)", "forget_rows($1, 10)", "note_deletion($1, true)"]) {
      const refused = await runtime.query(`select app.${step}`, [session.id]).catch(({ code }) => code)
      assert.strictEqual(refused, "42501")
    }
    const moved = await runtime.query("update veteran_deletions set ends_at = now() where veteran_id = $1", [
      session.id
    ])
      .catch(({ code }) => code)
    assert.strictEqual(moved, "42501")
  })

  test("a deletion that has begun is not cancelled", async () => {
    const session = await signInTo()
    await askAsOperator(service, session.id)
    await letTimePass(superuser, session.id)
    await runtime.query("select * from app.forget_veteran($1, 1800, 100)", [session.id])
    const cancelled = await call(service, "POST", `/api/admin/veterans/${session.id}/deletion/cancel`, {
      headers: asAdmin
    })
    assert.deepStrictEqual(told(cancelled), [409, "conflict"])
    await forget(superuser, database, service, session.id)
  })
})
