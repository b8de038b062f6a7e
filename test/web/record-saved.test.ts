import { assert, test } from "vitest"
import { readAccount } from "../http/ledger/Account.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { openRecord, share, wholeRecord } from "./record/Records.ts"
import { small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

test("A FHIR file is saved only after the veteran's account has it, and otherwise the page says why", async () => {
  const shared = await share(service, small)
  const { expect, page } = await openTab(browser)
  await openRecord({ page }, portal, shared)
  await wholeRecord(page)
  const saved = async () => (await readAccount(service, shared.veteran, "?kind=record_saved")).json.items.length
  const save = page.getByRole("button", { name: "Save as FHIR file" })
  let downloads = 0
  page.on("download", () => downloads++)
  expect(/ERR_FAILED|Failed to fetch/)
  await page.route("**/record/saved", (route) => route.abort())
  await save.click()
  await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor()
  await page.unroute("**/record/saved")
  assert.deepStrictEqual([downloads, await saved()], [0, 0])
  await Promise.all([page.waitForEvent("download"), save.click()])
  assert.strictEqual(await saved(), 1)
  assert.strictEqual(await page.getByRole("alert").filter({ hasText: /./ }).count(), 0)
})
