import { assert, describe, test } from "vitest"
import { signed, upload } from "./http/release/Releases.ts"
import { atEnd, openApp, openDatabase } from "./support/App.ts"
import { signInVeteran } from "./support/Client.ts"
import { createDatabase } from "./support/Database.ts"
import { newKey, rotation } from "./support/RotateProgram.ts"
import { startService } from "./support/Service.ts"
import { resource, sync } from "./support/Sync.ts"
import { until } from "./support/Until.ts"

const [old, fresh] = [newKey("old"), newKey("fresh")]

const both = `${fresh},${old}`

/** A database whose five values are encrypted under the old key. Each test has its own copy. */
const prepared = await openDatabase()

const service = await startService(prepared, { TOKEN_ENCRYPTION_KEY: old })

const veteran = await signInVeteran(service)

await upload(service, veteran, "Dear Dr. Gray")

await sync(service, veteran, { Observation: "complete" }, {
  Observation: Array.from({ length: 3 }, (_, index) => resource("Observation", `o-${index}`))
})

await service.stop()

const open = async () => {
  const database = await createDatabase(prepared.name)
  atEnd(database.close)
  const superuser = await database.connect("superuser")
  const everything = async () =>
    (await superuser.query("select fhir_id, raw_ciphertext from health_record_items order by fhir_id")).rows
  return { database, superuser, everything, ...await rotation(database) }
}

test("rotate-keys continues after a deadlock with a sync that locks the row with the record's size", async () => {
  const { database, run, superuser } = await open()
  const syncing = await database.connect("superuser")
  // PostgreSQL looks for a deadlock once a session has waited for its `deadlock_timeout`, and cancels that session. The
  // rotation waits only one second (the default), so the rotation is cancelled and must try again.
  await syncing.query("begin; set local deadlock_timeout = '30s'")
  await syncing.query("select from health_record_sizes where veteran_id = $1 for update", [veteran.id])
  const outcome = run(both)
  await until("the rotation waits for the size", async () => {
    const { rows } = await superuser.query(
      "select from pg_stat_activity where application_name = 'vrss rotate-keys' and wait_event_type = 'Lock'"
    )
    return rows.length > 0
  })
  await syncing.query("update health_record_items set synced_at = now() where veteran_id = $1", [veteran.id])
  await syncing.query("commit")
  const { code, stdout } = await outcome
  assert.deepStrictEqual([code, stdout.includes("Every value is under fresh")], [0, true], stdout)
  const { rows } = await superuser.query(
    `select active_bytes = (select sum(octet_length(raw_ciphertext) + 640) from health_record_items) as right
     from health_record_sizes`
  )
  assert.deepStrictEqual(rows, [{ right: true }])
})

describe("rotate-keys refuses", async () => {
  const database = await openDatabase()
  const { run, start } = await rotation(database)

  test.each([
    [undefined, "TOKEN_ENCRYPTION_KEY is missing: the keyring of the service, the new key first\n"],
    [
      "fresh:short",
      "TOKEN_ENCRYPTION_KEY must be keyId:base64(32 bytes), comma-separated, with different key ids and no development key\n"
    ]
  ])("the keyring %s", async (keys, says) => {
    assert.deepStrictEqual(await run(keys), { code: 1, stdout: "", stderr: says })
  })

  test("an effort outside of 1 to 100", async () => {
    const { code, stderr } = await start(both, ["--effort", "0"]).outcome
    assert.deepStrictEqual([code, stderr], [1, "--effort must be from 1 to 100\n"])
  })

  test("a login that may not replace sealed values, such as the web process's login", async () => {
    const { code, stderr } = await start(both, [], { MIGRATION_DATABASE_URL: database.url("runtime") }).outcome
    assert.deepStrictEqual([code, stderr], [
      1,
      "vrss_app may not take on the role that rotates keys: apply the migrations, and run 'grant vrss_rotation to vrss_app'\n"
    ])
  })

  test("a database that cannot be reached", async () => {
    const { code, stderr } = await start(both, [], { MIGRATION_DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }).outcome
    assert.deepStrictEqual([code, stderr], [
      1,
      "the database of MIGRATION_DATABASE_URL (or DATABASE_URL) cannot be used: ECONNREFUSED\n"
    ])
  })

  test("to begin while another rotation runs", async () => {
    const { run, start, superuser } = await open()
    // The first one waits for this row.
    await superuser.query("begin")
    await superuser.query("select from health_record_items where fhir_id = 'o-1' for update")
    const first = start(both)
    await until("the first one has begun", async () => {
      const { rows } = await superuser.query(
        `select from pg_locks where locktype = 'advisory'
           and database = (select oid from pg_database where datname = current_database())`
      )
      return rows.length > 0
    })
    const { code, stderr } = await run(both)
    assert.deepStrictEqual([code, stderr], [1, "another rotation is under way: wait for it, or end it\n"])
    first.child.kill("SIGKILL")
    await first.outcome
    await superuser.query("commit")
    const next = await until("its lock is free", async () => {
      const outcome = await run(both)
      return outcome.code === 0 && outcome
    })
    assert.include(next.stdout, "Every value is under fresh: old may go")
  })
})

describe("rotate-keys fails and changes nothing", () => {
  test("with an old key that is missing or wrong", async () => {
    const { everything, run } = await open()
    const before = await everything()
    for (const keys of [fresh, `${fresh},${newKey("old")}`]) {
      const { code, stderr } = await run(keys)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^5 values do not open, and stay as they are:$/m)
      assert.match(
        stderr,
        /^ {2}health_record_items\.raw_ciphertext of veteran [0-9a-f-]{36}, row Observation\/o-0, under old$/m
      )
      assert.match(stderr, /^The old keys must stay: 5 under old\. /m)
      assert.deepStrictEqual(await everything(), before)
    }
  })

  test("with a new key that differs from the service's key of the same id", async () => {
    const { everything, run } = await open()
    const before = await everything()
    const { code, stderr } = await run(`${newKey("old")},${old.replace("old", "fresh")}`)
    assert.strictEqual(code, 1)
    assert.match(stderr, /Observation\/o-0 names the first key of TOKEN_ENCRYPTION_KEY and does not open with it/)
    assert.deepStrictEqual(await everything(), before)
  })
})

test("a corrupted value is reported with its place and left unchanged, and the other values are rotated", async () => {
  const { run, superuser } = await open()
  await superuser.query(
    `update health_record_items set raw_ciphertext = set_byte(raw_ciphertext, 25, get_byte(raw_ciphertext, 25) # 1)
     where fhir_id = 'o-1'`
  )
  const { code, stderr, stdout } = await run(both, "--verify")
  assert.strictEqual(code, 1)
  assert.strictEqual(stdout, "4 values were sealed anew under fresh\n")
  const place = `health_record_items.raw_ciphertext of veteran ${veteran.id}, row Observation/o-1, under old`
  assert.include(stderr, `1 values do not open, and stay as they are:\n  ${place}\n`)
  assert.match(stderr, /^The old keys must stay: 1 under old\. /m)
  const status = await run(both, "--status")
  assert.deepInclude(status, { code: 0, stderr: "" })
  assert.match(
    status.stdout,
    /^health_record_items\.raw_ciphertext: fresh 2, old 1\n[^]*^documents\.file_key: fresh 1\n/m
  )
})

test("--verify finds values that name the first key but do not open with it", async () => {
  const { run, superuser } = await open()
  assert.deepInclude(await run(both), { code: 0 })
  await superuser.query(
    `update health_record_items set raw_ciphertext = set_byte(raw_ciphertext, 30, get_byte(raw_ciphertext, 30) # 1)
     where fhir_id = 'o-2'`
  )
  assert.deepInclude(await run(both), { code: 0 })
  const { code, stderr } = await run(both, "--verify")
  assert.strictEqual(code, 1)
  assert.match(stderr, /row Observation\/o-2, under fresh$/m)
  assert.match(stderr, /^Every value names fresh, but not all of them open\.$/m)
})

test("rotate-keys waits for a locked row without holding a lock, and keeps what the other session writes", async () => {
  const { run, superuser } = await open()
  await superuser.query("begin")
  await superuser.query("select from health_record_items where fhir_id = 'o-1' for update")
  const running = run(both, "--verify")
  await until("the other rows are under the new key", async () => {
    const { rows } = await superuser.query(
      "select count(*)::int as n from health_record_items where substr(raw_ciphertext, 3, 5) = 'fresh'"
    )
    return rows[0].n === 2
  })
  await superuser.query("update health_record_items set deactivated_at = now(), active = false where fhir_id = 'o-1'")
  await superuser.query("commit")
  const { code, stderr } = await running
  assert.strictEqual(code, 0, stderr)
  const { rows } = await superuser.query(
    `select count(*) filter (where active)::int as active, count(*)::int as all from health_record_items
     where substr(raw_ciphertext, 3, 5) = 'fresh'`
  )
  assert.deepStrictEqual(rows, [{ active: 2, all: 3 }])
})

test("a rotation changes only the encryption of signed rows, even if its role may change more", async () => {
  const { database, service } = await openApp()
  const { document } = await signed(service, await signInVeteran(service))
  const superuser = await database.connect("superuser")
  await superuser.query("begin")
  await superuser.query("grant update (sha256) on documents to vrss_rotation")
  await superuser.query("set local role vrss_rotation")
  const change = (columns: string) => `update documents set ${columns} where id = '${document.id}'`
  assert.strictEqual((await superuser.query(change("title = file_key, file_key = title"))).rowCount, 1)
  const refused = await superuser.query(change("sha256 = decode(repeat('00', 32), 'hex')")).catch((error: unknown) =>
    error
  )
  assert.include(`${refused}`, "a signed document does not change")
  await superuser.query("rollback")
})
