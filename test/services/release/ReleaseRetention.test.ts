import * as PgClient from "@effect/sql-pg/PgClient"
import { ConfigProvider, Effect, Layer, ManagedRuntime, Redacted, String } from "effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, test } from "vitest"
import { connection } from "../../../src/layers/Connection.ts"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { releaseRetention } from "../../../src/services/release/ReleaseRetention.ts"
import { Actors } from "../../../src/sql/Actor.ts"
import { giveSessions } from "../../http/document/Copies.ts"
import { createLink, view } from "../../http/link/Links.ts"
import { atEnd, openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const uploads = join(service.directory, ".data/uploads")

/** Returns the sweep that a process with these settings runs. */
const sweeper = (environment: Record<string, string> = {}) => {
  const { user, ...at } = connection(Redacted.make(database.url("runtime")), {
    production: false,
    caCertificate: database.caCertificate
  })
  const transforms = { transformResultNames: String.snakeToCamel, transformQueryNames: String.camelToSnake }
  const settings = ConfigProvider.fromUnknown({ APP_ENV: "test", UPLOAD_DIR: uploads, ...environment })
  const runtime = ManagedRuntime.make(Layer.fresh(
    Layer.merge(FileStore.layer, Actors.layer).pipe(
      Layer.provideMerge([PgClient.layer({ ...at, ...transforms, username: user }), Settings.layer]),
      Layer.provide(ConfigProvider.layer(settings))
    )
  ))
  atEnd(runtime.dispose)
  return () => runtime.runPromise(Effect.flatMap(releaseRetention, ({ run }) => run))
}

/** Makes a release that was shown to a recipient and ended this long ago. If `deleted`, the veteran deletes it. */
const shown = async (ago: string, deleted = true) => {
  const veteran = await signInVeteran(service)
  const link = await createLink(service, veteran)
  assert.strictEqual((await view(service, (await giveSessions(service, superuser, [link]))[0]!)).status, 200)
  const path = `/api/veteran/me/documents/${link.documentId}`
  if (deleted) assert.strictEqual((await call(service, "DELETE", path, { headers: veteran.headers })).status, 204)
  await superuser.query("begin")
  await superuser.query("set local session_replication_role = replica")
  await superuser.query(`update documents set ends_at = now() - $2::interval where id = $1`, [link.documentId, ago])
  await superuser.query("commit")
  const { rows: [row] } = await superuser.query(
    "select storage_key, recipient_storage_key from documents where id = $1",
    [link.documentId]
  )
  return { id: link.documentId, link: link.id, files: Object.values<string>(row) }
}

const where = async ({ files }: { readonly files: ReadonlyArray<string> }) => {
  const folders = await Promise.all(["files", "trash"].map((name) => readdir(join(uploads, name))))
  const claims = await superuser.query("select from stored_files where storage_key = any ($1)", [files])
  return [...folders.map((names) => files.filter((file) => names.includes(file)).length), claims.rowCount]
}

const there = async ({ id }: { readonly id: string }) =>
  (await superuser.query("select from documents where id = $1", [id])).rowCount === 1

test("One of several processes deletes a kept release and its files six years after its end", async () => {
  const [early, due, alsoDue, undeleted] = [
    await shown("5 years 364 days"),
    await shown("6 years 1 day"),
    await shown("30 years"),
    await shown("30 years", false)
  ]
  assert.strictEqual(await sweeper({ RELEASE_RETENTION_YEARS: "31" })(), 0)
  const sweeps = [sweeper(), sweeper(), sweeper({ RELEASE_RETENTION_YEARS: "6" })]
  const forgotten = await Promise.all(sweeps.map((sweep) => sweep()))
  assert.strictEqual(forgotten.reduce((sum, count) => sum + count), 2)
  for (const one of [due, alsoDue]) {
    assert.deepStrictEqual([await there(one), await where(one)], [false, [0, 2, 0]])
  }
  for (const one of [early, undeleted]) assert.deepStrictEqual([await there(one), await where(one)], [true, [2, 0, 2]])
  // The link's outcome stays in the veteran's list.
  const { rows } = await superuser.query(
    "select document_id, viewed_at is not null as viewed from secure_links where id = $1",
    [
      due.link
    ]
  )
  assert.deepStrictEqual(rows, [{ document_id: null, viewed: true }])
  assert.strictEqual(await sweeps[0]!(), 0)
})
