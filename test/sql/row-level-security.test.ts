import { afterEach, assert, beforeEach, describe, test } from "vitest"
import { openFilled } from "./Filled.ts"
import { deviations, reads } from "./Matrix.ts"
import { linkIds, rows, veterans } from "./Rows.ts"
import { recipient, seen, state } from "./Stated.ts"
import { writes } from "./Writes.ts"

const { database, runtime, superuser } = await openFilled()

beforeEach(async () => {
  await runtime.query("begin")
})
afterEach(async () => {
  await runtime.query("rollback")
})

test("The policies and rights allow exactly what the matrix says", async () => {
  assert.isAbove(reads.length, 100)
  assert.isAbove(writes.length, 700)
  assert.deepStrictEqual(await deviations(runtime), [])
})

describe("A recipient with an open transaction", () => {
  const ends = [
    {
      what: "the link is disabled",
      link: "shared",
      before: "A release shared",
      end: `update secure_links set status = 'disabled' where id = '${linkIds.shared}'`
    },
    {
      what: "its release is revoked",
      link: "sharedRevoked",
      before: "A release shared and revoked by B",
      end: `insert into roi_revocations (veteran_id, document_id)
            values ('${veterans.A}', '${rows.get("A release shared and revoked by B")}')`
    }
  ] as const

  test.each(ends)("sees nothing in later statements once $what", async ({ before, end, link }) => {
    const other = await database.connect("runtime")
    await state(runtime, recipient(link))
    assert.deepStrictEqual(await seen(runtime), [before])
    assert.strictEqual((await other.query(end)).rowCount, 1)
    assert.deepStrictEqual(await seen(runtime), [])
  })
})

test("A recipient's policy reads the real tables, even if temporary tables have the same names", async () => {
  await superuser.query(`grant temporary on database ${database.name} to vrss_app`)
  await runtime.query("create temporary table secure_links (like public.secure_links) on commit drop")
  await runtime.query("create temporary table roi_revocations (like public.roi_revocations) on commit drop")
  await runtime.query("insert into pg_temp.secure_links select * from public.secure_links where id = $1", [linkIds.ofB])
  await runtime.query("update pg_temp.secure_links set veteran_id = $1, status = 'active'", [veterans.A])
  assert.deepStrictEqual(await seen(runtime, recipient("ofB")), [])
  assert.deepStrictEqual(await seen(runtime, recipient("toRevoked")), [])
  assert.deepStrictEqual(await seen(runtime, recipient("live")), ["A release"])
})
