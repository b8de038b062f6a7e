import type pg from "pg"
import { assert, beforeEach, describe, test } from "vitest"
import { openDatabase, openService, used } from "../../support/App.ts"
import { asAdmin, call, signInVeteran } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openVersionedBucket, type VersionedBucket } from "../../support/VersionedBucket.ts"
import { createLink, verified, view } from "../link/Links.ts"
import { download, signed, upload } from "../release/Releases.ts"

let bucket: VersionedBucket

let database: Awaited<ReturnType<typeof openDatabase>>

beforeEach(async () => {
  bucket = await used(openVersionedBucket())
  database = await openDatabase()
})

/** More than the service has connections. */
const crowd = 12

/** Asserts that a moment comes without a transaction of the service before the answers do. */
const assertNoneHeld = async (superuser: pg.Client, answers: Promise<unknown>) => {
  let isAnswered = false
  void answers.then(() => isAnswered = true)
  await until("no transaction is open", async () => {
    const { rows: [row] } = await superuser.query(
      `select count(*)::int as count from pg_stat_activity
        where usename <> current_user and datname = current_database() and state like 'idle in transaction%'`
    )
    return row.count === 0
  })
  assert.isFalse(isAnswered)
}

describe("While the bucket hangs", () => {
  test("a crowd of readers holds no connection to the database, and no view is used up", async () => {
    const service = await openService(database, bucket.environment)
    const superuser = await database.connect("superuser")
    const veteran = await signInVeteran(service)
    const { json: { id: letter } } = await upload(service, veteran, "a letter")
    const { document: { id: documentId } } = await signed(service, veteran, { incompleteRecordConfirmed: true })
    const sessions: Array<string> = []
    for (let n = 0; n < crowd; n++) {
      sessions.push(await verified(service, await createLink(service, veteran, { documentId })))
    }
    bucket.fault = () => "hangs"
    const asked = (begun: number) => bucket.requests.slice(begun).filter((request) => request.startsWith("GET files/"))
    for (
      const read of [
        (n: number) => view(service, sessions[n]!),
        () => download(service, veteran, `/api/veteran/me/documents/${letter}/content`),
        () => download(service, veteran, `/api/veteran/me/documents/${documentId}/record`),
        () => download(service, veteran, `/api/veteran/me/roi/${documentId}/fhir`)
      ]
    ) {
      const begun = bucket.requests.length
      const answers = Promise.all(sessions.map((_, n) => read(n)))
      await until("some wait for the bucket", async () => asked(begun).length >= 6)
      await assertNoneHeld(superuser, answers)
      assert.strictEqual((await call(service, "GET", "/api/veteran/me/documents", veteran)).status, 200)
      for (const { status } of await answers) assert.strictEqual(status, 503)
    }
    bucket.fault = () => undefined
    const seen = await Promise.all(sessions.map((session) => view(service, session)))
    for (const { bytes, status } of seen) {
      assert.deepStrictEqual([status, bytes.subarray(0, 5).toString()], [200, "%PDF-"])
    }
    assert.strictEqual((await view(service, sessions[0]!)).error, "view_session_used")
    const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    assert.match(text, /^upload_bucket_errors_total\{.*reason="timeout".*\} [1-9]/m)
  })

  test("a view that has begun holds none either, and goes on where it broke off", async () => {
    const service = await openService(database, bucket.environment)
    const superuser = await database.connect("superuser")
    const veteran = await signInVeteran(service)
    const session = await verified(service, await createLink(service, veteran))
    // The first request shows that the file is there. The next one is for what is sent.
    let reads = 0
    bucket.fault = (method, key) => method === "GET" && key.startsWith("files/") && ++reads > 1 ? "hangs" : undefined
    const broken = view(service, session).then(() => assert.fail("it was sent"), () => "broken off" as const)
    await until("the bucket was asked again", async () => reads > 1)
    await assertNoneHeld(superuser, broken)
    assert.strictEqual(await broken, "broken off")
    bucket.fault = () => undefined
    assert.strictEqual((await view(service, session, 0)).status, 206)
  })
})
