import { randomUUID } from "node:crypto"
import { assert } from "vitest"
import { registerVeterans, signInProvider } from "../../support/Client.ts"
import { count, type openPatients } from "./Listing.ts"

/** Searches the list of a provider with this number of patients, of whom the last one has accents in the name. */
export const searchAmong = async (
  patients: number,
  { openList, owner, service }: Awaited<ReturnType<typeof openPatients>>
) => {
  const provider = await signInProvider(service)
  const veterans = await registerVeterans(owner, patients)
  await owner.query(
    "update veterans set call_sign = 'Eagle ' || n from unnest($1::uuid[]) with ordinality as v (id, n) where v.id = veterans.id",
    [
      veterans.map(({ id }) => id)
    ]
  )
  await owner.query("update veterans set call_sign = 'José Ñandú' where id = $1", [veterans.at(-1)!.id])
  await owner.query(
    `insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents, purpose, status, granted_at, expires_at)
     select id, veteran_id, $3, '{}', false, false, 'treatment', 'active', now(), now() + interval '30 days' from unnest($1::uuid[], $2::uuid[]) as g (id, veteran_id)`,
    [veterans.map(() => randomUUID()), veterans.map(({ id }) => id), provider.id]
  )
  const { look, page } = await openList(provider)
  await count(page, `${patients} patients`)
  assert.strictEqual(await page.locator("tbody tr").count(), 100)
  assert.deepStrictEqual(
    await page.locator("tbody a").evaluateAll((links) => links.slice(0, 3).map(({ textContent }) => textContent)),
    ["Eagle 1", "Eagle 2", "Eagle 3"]
  )
  await page.getByRole("button", { name: "Show 100 more" }).click()
  assert.strictEqual(await page.locator("tbody tr").count(), 200)
  assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Eagle 101")
  await page.getByLabel("Search by call sign, name or birth date").fill("nandu jose")
  await count(page, `1 of ${patients} patients`)
  await page.getByRole("link", { name: "José Ñandú" }).click()
  await page.getByRole("link", { name: "Patients" }).click()
  assert.strictEqual(await page.getByLabel("Search by call sign, name or birth date").inputValue(), "nandu jose")
  await page.getByLabel("Search by call sign, name or birth date").fill("nobody of this name")
  await count(page, `None of ${patients} patients`)
  await look("patients, none found")
  await page.getByRole("button", { name: "Show all patients" }).click()
  await count(page, `${patients} patients`)
}
