import { assert, describe, test } from "vitest"
import { signInVeteran } from "../../support/Client.ts"
import { digestOf, postSync, readRecord, resource, sync } from "../../support/Sync.ts"
import { openSweeping } from "./Sweeping.ts"

const { age, count, processOf, runtime, service, superuser, sweep, sweeper } = await openSweeping()

describe("Inactive items of a record are deleted", () => {
  const types = { Condition: "complete" }
  const opened = async () => {
    const veteran = await signInVeteran(service)
    const ids = ["old", "late", "active"]
    await sync(service, veteran, types, { Condition: ids.map((id) => resource("Condition", id)) })
    await sync(service, veteran, types, { Condition: [resource("Condition", "active")] })
    const of = (id: string) => `veteran_id = '${veteran.id}' and fhir_id = '${id}'`
    await age("health_record_items", "deactivated_at", "90 days 1 minute", of("old"))
    await age("health_record_items", "deactivated_at", "89 days 23 hours", of("late"))
    await age("health_record_items", "synced_at", "1 year", of("active"))
    return {
      veteran,
      of,
      ids: async () =>
        (await readRecord(service, veteran, { includeInactive: "true" })).items.map(({ fhirId }) => fhirId)
    }
  }
  const sizes = async ({ id }: { readonly id: string }) =>
    (await superuser.query(
      `select active_bytes::int = (
           select sum(octet_length(raw_ciphertext) + 640) from health_record_items where veteran_id = $1 and active
         ) as active, inactive_bytes = coalesce((
           select sum(octet_length(raw_ciphertext) + 640) from health_record_items where veteran_id = $1 and not active
         ), 0) as inactive
       from health_record_sizes where veteran_id = $1`,
      [id]
    )).rows

  test("ninety days after their deactivation or after the configured days, but active items stay", async () => {
    const { ids, veteran } = await opened()
    const manifest = async () => (await readRecord(service, veteran)).manifest
    const before = await manifest()
    assert.deepStrictEqual(await sweeper({ INACTIVE_ITEM_DAYS: "91" })("inactive items"), { "inactive items": 0 })
    assert.deepStrictEqual(await sweep("inactive items"), { "inactive items": 1 })
    assert.deepStrictEqual(await ids(), ["active", "late"])
    assert.deepStrictEqual(await sizes(veteran), [{ active: true, inactive: true }])
    assert.deepStrictEqual(await sweeper({ INACTIVE_ITEM_DAYS: "1" })("inactive items"), { "inactive items": 1 })
    assert.deepStrictEqual(await ids(), ["active"])
    assert.deepStrictEqual(await sizes(veteran), [{ active: true, inactive: true }])
    assert.deepStrictEqual(await manifest(), before)
    // The deletion does not change the digest of the active items, so a sync may still send only this digest.
    const same = { Condition: digestOf([resource("Condition", "active")]) }
    assert.strictEqual((await postSync(service, veteran, types, {}, same)).status, 200)
  })

  test("not during a sync of their veteran, while other veterans' items are deleted", async () => {
    const [busy, other] = [await opened(), await opened()]
    await superuser.query("begin")
    await superuser.query("select from veterans where id = $1 for no key update", [busy.veteran.id])
    assert.deepStrictEqual(await sweep("inactive items"), { "inactive items": 1 })
    await superuser.query("commit")
    assert.deepStrictEqual(await busy.ids(), ["active", "late", "old"])
    assert.deepStrictEqual(await other.ids(), ["active", "late"])
    assert.deepStrictEqual(await sweep("inactive items"), { "inactive items": 1 })
  })

  test("by a process, without a call", async () => {
    const { of } = await opened()
    await processOf(async () => await count("health_record_items", of("old")) === 0)
    assert.strictEqual(await count("health_record_items", of("late")), 1)
  })

  test("not before a day has passed, even by direct calls in the runtime role", async () => {
    const { ids } = await opened()
    await age("health_record_items", "deactivated_at", "23 hours", "not active")
    const { rows } = await runtime.query("select app.sweep_inactive_items('-100 years', 1000000) as rows")
    assert.deepStrictEqual(rows, [{ rows: 0 }])
    assert.deepStrictEqual(await ids(), ["active", "late", "old"])
  })
})
