import { Effect } from "effect"
import { copyFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, inject, test } from "vitest"
import { forPg } from "../../src/layers/Connection.ts"
import { migrationFolder } from "../../src/sql/MigrationFiles.ts"
import { Migrations } from "../../src/sql/Migrations.ts"
import { openFolder } from "../support/App.ts"
import { clusterConnection, createDatabase } from "../support/Database.ts"

const database = await createDatabase("template0")

afterAll(database.close)

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const connection = forPg(clusterConnection(inject("cluster"), "owner", database.name))

const migrate = (directory: string) =>
  Effect.runPromise(
    Migrations.use((migrations) => migrations.apply()).pipe(Effect.provide(Migrations.layer({ connection, directory })))
  )

/** The migrations of the time before. */
const earlier = await openFolder()

for (const name of await readdir(migrationFolder)) {
  if (name < "045") await copyFile(join(migrationFolder, name), join(earlier, name))
}

await migrate(earlier)

/** What two veterans, `00…a` and `00…b`, have in a database of the time before: ids say what they are of. */
await superuser.query(`
  set session_replication_role = replica;
  do $$ begin
    execute (select string_agg(format('alter table documents drop constraint %I', conname), ';') from pg_constraint
      where conrelid = 'documents'::regclass and contype = 'c');
  end $$;
  create function public.id(name text) returns uuid language sql immutable as
    $$ select ('00000000-0000-7000-8000-' || lpad(name, 12, '0'))::uuid $$;
  insert into veterans (id, va_patient_id, call_sign, email)
    select id(name), name, name, name || '@example.org' from unnest('{a,b}'::text[]) name;
  insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key,
      recipient_storage_key, record_storage_key)
    select id(name || n), id(name), 'upload', '\\x00', 'text/plain', 1, decode(repeat('00', 32), 'hex'),
      name || n || ' own', '\\x00', name || n || ' recipient', name || n || ' record'
    from unnest('{a,b}'::text[]) name, generate_series(1, 2) n;
  insert into secure_links (veteran_id, id, recipient_name, recipient_email_ciphertext, token_hash, expires_at,
      shl_hash, shl_storage_key, shl_file_key, shl_byte_size, shl_sha256)
    select id(name), id(name || 3), 'Jane', '\\x00', sha256(name::bytea), now(),
      sha256(name::bytea), name || ' bundle', '\\x00', 1, sha256(name::bytea)
    from unnest('{a,b}'::text[]) name;
  insert into stored_files (storage_key)
    select unnest(array[storage_key, recipient_storage_key, record_storage_key]) from documents
    union all select shl_storage_key from secure_links;
  insert into stored_files (storage_key, ended_at) values ('ended', now());
  insert into consent_grants (id, veteran_id, client_id, scope, sensitive_categories, include_self_reported, include_documents,
      purpose, expires_at)
    select id(name || 4), id(name), id('c'), 'patient/*.rs', '{}', false, false, 'app', now() from unnest('{a,b}'::text[]) name;
  insert into veteran_pairings (id, issuer, subject_hash, va_patient_hash, veteran_id, key_thumbprint, tries_left, expires_at)
    select id(name || 5), 'va', sha256(name::bytea), sha256(name::bytea), case name when 'f' then null else id(name) end,
      sha256(name::bytea), 5, now()
    from unnest('{a,b,f}'::text[]) name;
  insert into email_changes (veteran_id, id, email, code_hash)
    select id(name), id(name || 6), 'new@example.org', sha256(name::bytea) from unnest('{a,b}'::text[]) name;
  insert into outbox (kind, subject_id)
    select kind, id(name || number) from unnest('{a,b}'::text[]) name, (values
      ('link_opened', '3'), ('link_viewed', '3'), ('link_locked', '3'), ('app_connected', '4'), ('app_replayed', '4'),
      ('grant_revoked', '4'), ('grant_expired', '4'), ('record_updated', '4'), ('pairing_code', '5'), ('email_code', '6'),
      ('new_device', ''), ('identity_added', ''), ('notice', ''), ('deletion_done', ''), ('veteran_email_changed', '')
    ) as m (kind, number);
  insert into outbox (kind, subject_id)
    select kind, id('d') from unnest('{waitlist_joined,checkpoint_signed,provider_email_changed,password_link,
      password_changed}'::text[]) kind;
  insert into outbox (kind, subject_id) values ('pairing_code', id('f5')), ('link_opened', id('e')), ('notice', id('e'));
  reset session_replication_role`)

await migrate(migrationFolder)

test("Every message that waits names the veteran of its subject, and what would not be sent is gone", async () => {
  const { rows } = await superuser.query(
    "select kind, id('a') = veteran_id as a, right(subject_id::text, 2) as subject from outbox where veteran_id is not null"
  )
  assert.lengthOf(rows, 30)
  for (const { a, kind, subject } of rows) assert.strictEqual(a, subject.includes("a"), kind)
  const ofNobody = await superuser.query("select kind from outbox where veteran_id is null order by 1")
  assert.deepStrictEqual(ofNobody.rows.map(({ kind }) => kind), ["checkpoint_signed", "pairing_code",
    "password_changed", "password_link", "provider_email_changed", "waitlist_joined"])
})

test("Every file names the veteran of its document or link, but one that is about to be removed", async () => {
  const { rows } = await superuser.query(
    "select left(storage_key, 1) as name, count(*)::int from stored_files where veteran_id = id(left(storage_key, 1)) group by 1 order by 1"
  )
  assert.deepStrictEqual(rows, [{ name: "a", count: 7 }, { name: "b", count: 7 }])
  const others = await superuser.query("select storage_key from stored_files where veteran_id is null")
  assert.deepStrictEqual(others.rows, [{ storage_key: "ended" }])
})

test.each([
  ["of a veteran without naming them", "('link_opened', id('a3'), null)"],
  ["of nobody that names a veteran", "('waitlist_joined', id('d'), id('a'))"],
  ["of a veteran who is not there", "('notice', id('e'), id('e'))"]
])("No message is written %s", async (_, values) => {
  const written = owner.query(`insert into outbox (kind, subject_id, veteran_id) values ${values}`)
  assert.match(await written.then(() => "written", ({ code }) => code), /^2350[34]$|^23514$/)
})
