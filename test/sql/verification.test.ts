import { randomBytes } from "node:crypto"
import { assert, test } from "vitest"
import { nobody } from "../support/Formats.ts"
import { openFilled } from "./Filled.ts"
import { rows, veterans } from "./Rows.ts"
import { hash } from "./Stated.ts"

const { database, runtime, superuser } = await openFilled()

/** Adds many releases, so that PostgreSQL uses an index to find one. Then sets the hashes of A's two copies. */
await superuser.query("set session_replication_role = replica")

await superuser.query(
  `insert into documents select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
   from documents d, generate_series(1, 5000) where d.id = $1 and d.veteran_id = $2`,
  [rows.get("A release"), veterans.A]
)

await superuser.query(
  "update documents set sha256 = $3, recipient_sha256 = $4 where id = $1 and veteran_id = $2",
  [rows.get("A release"), veterans.A, hash("own"), hash("recipients")]
)

await superuser.query("set session_replication_role = origin")

const fetchedSoFar = async () => {
  const { rows: [counted] } = await runtime.query(
    `select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
     where relname in ('documents', 'roi_revocations')`
  )
  return counted.rows as number
}

/** Reads like the service, without an actor, and counts the rows that PostgreSQL fetched. */
const ask = async (id: string, sha256: Buffer) => {
  await runtime.query("begin")
  const before = await fetchedSoFar()
  const { rows: found } = await runtime.query("select copy, status from app.verify_release($1, $2)", [id, sha256])
  const fetched = await fetchedSoFar() - before
  await runtime.query("commit")
  return { found, fetched }
}

const release = rows.get("A release")!

test.each(["while the planner knows nothing about the table", "as it knows it"])(
  "A person without a copy of a release does not learn of it, not even from the response time, %s",
  async (knowing) => {
    if (knowing === "as it knows it") await superuser.query("analyze documents")
    const vain = { found: [], fetched: 0 }
    // From a session's sixth call on, PostgreSQL may use another plan. Eight calls cover both plans.
    for (let n = 0; n < 8; n++) {
      assert.deepStrictEqual(await ask(nobody, hash("own")), vain)
      assert.deepStrictEqual(await ask(release, randomBytes(32)), vain)
      assert.deepStrictEqual(await ask(rows.get("A upload")!, hash("own")), vain)
      for (const [text, copy] of [["own", "veteran"], ["recipients", "recipient"]] as const) {
        assert.deepStrictEqual(await ask(release, hash(text)), { found: [{ copy, status: "in_force" }], fetched: 1 })
      }
    }
  }
)

test("Neither the service nor the owner sees more documents after a verification than before it", async () => {
  const owner = await database.connect("owner")
  for (const client of [runtime, owner]) {
    await client.query("begin")
    await client.query("select set_config('app.actor', 'veteran', true), set_config('app.veteran_id', $1, true)", [
      veterans.B
    ])
    const seen = async () => (await client.query("select from documents where veteran_id = $1", [veterans.A])).rowCount
    assert.strictEqual(await seen(), 0)
    const { rowCount } = await client.query("select from app.verify_release($1, $2)", [release, hash("own")])
    assert.strictEqual(rowCount, 1)
    const { rows: [{ actor }] } = await client.query("select app.actor()")
    assert.deepStrictEqual([await seen(), actor], [0, "veteran"])
    await client.query("commit")
    assert.strictEqual((await client.query("select from documents")).rowCount, 0)
  }
})

test("A kept release can be verified with a copy, even if the owner is a member of vrss_runtime", async () => {
  await superuser.query("begin")
  await superuser.query(
    "do $$ begin execute format('grant vrss_runtime to %s with inherit true', (select proowner::regrole from pg_proc where proname = 'verify_release')); end $$"
  )
  await superuser.query("insert into kept_releases (veteran_id, document_id) values ($1, $2)", [veterans.A, release])
  const { rows: found } = await superuser.query("select copy from app.verify_release($1, $2)", [release, hash("own")])
  await superuser.query("rollback")
  assert.deepStrictEqual(found, [{ copy: "veteran" }])
})
