import { readdirSync, readFileSync } from "node:fs"
import { assert } from "vitest"
import { test } from "../support/MigrateProgram.ts"

const folder = new URL("../../migrations/", import.meta.url)

const file = "025_record_limits.sql"

const filesBefore = Object.fromEntries(
  readdirSync(folder).filter((name) => name < file).map((name) => [name, readFileSync(new URL(name, folder), "utf8")])
)

/** The database's owner runs the migration and is not a superuser, so forced row-level security applies to it. */
test("The migration that counts sizes counts the existing rows", filesBefore, async (p) => {
  assert.strictEqual((await p.run()).code, 0)
  await p.asSuperuser(
    `insert into health_record_items (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac,
         sensitive_categories, refers_to, active, deactivated_at)
       select gen_random_uuid(), v, 'Basic', n::text, decode(repeat('00', n * 1000), 'hex'), sha256('x'), '{}',
         case n when 1 then '{1,2,3}' else '{}' end::bigint[], n < 3, case when n >= 3 then now() end
       from (values (gen_random_uuid()), (gen_random_uuid())) veterans(v), generate_series(1, 4) n`
  )
  await p.write(file, readFileSync(new URL(file, folder)))
  assert.deepInclude(await p.run(), { code: 0, stdout: `${file}\n` })
  const sizes = await p.sql(
    "select active_bytes::int as active, inactive_bytes::int as inactive from health_record_sizes"
  )
  const size = { active: 1000 + 2000 + 3 * 8 + 2 * 640, inactive: 3000 + 4000 + 2 * 640 }
  assert.deepStrictEqual(sizes, [size, size])
  // After the migration, the owner again sees no rows.
  assert.deepStrictEqual(await p.sql("select from health_record_items where active"), [])
})
