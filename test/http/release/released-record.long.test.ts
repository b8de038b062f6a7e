import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { releasedRecord } from "../document/Copies.ts"
import { namesIn, of } from "./ReleasedRecords.ts"
import { signed } from "./Releases.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

/** The bundle that a release carries, as text. */
const bundleOf = async (id: string) => (await releasedRecord(service, superuser, id)).toString()

test("A release carries the record that it releases in the order of type and id, even if it is read in several pages", async () => {
  const veteran = await signInVeteran(service)
  const ids = Array.from({ length: 1203 }, (_, n) => `n${n}`)
  const large = ids.slice(0, 5).map((id) =>
    JSON.stringify({ resourceType: "Observation", id, note: [{ text: `${id} `.repeat(700_000) }] })
  )
  await sync(service, veteran, { Condition: "complete", Observation: "complete" }, {
    Condition: ids.map((id) => resource("Condition", id, id.endsWith("7") ? { categories: ["hiv"] } : {})),
    Observation: large
  })
  const { document } = await signed(service, veteran, of("Condition", "Observation"))
  const bundle = await bundleOf(document.id)
  const shown = ids.filter((id) => !id.endsWith("7")).toSorted().map((id) => `Condition/${id}`)
  assert.deepStrictEqual(namesIn(bundle), [...shown, ...ids.slice(0, 5).map((id) => `Observation/${id}`)])
  for (const text of large) assert.include(bundle, text)
})
