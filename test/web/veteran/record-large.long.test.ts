import { assert, test } from "vitest"
import { heading } from "../Portal.ts"
import { largeRecord } from "../record/Large.ts"
import { card } from "../record/Records.ts"
import { follow, itemIds, wholeOwn, withRecord } from "./OwnRecords.ts"
import { enterVeteranApp, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const items = 20_000

const texts = largeRecord(items)

const all = Object.values(texts).flat().length

test("A record of 20,000 items tells how much has been read, and then has each of them", {
  timeout: 300_000
}, async () => {
  const veteran = await withRecord(app, texts)
  const { page } = await enterVeteranApp(app, veteran)
  page.setDefaultTimeout(120_000)
  await page.evaluate(() => {
    const told: Array<string> = []
    Object.assign(globalThis, { told })
    new MutationObserver(() => {
      const text = [...document.querySelectorAll("[role=status]")].map(({ textContent }) => textContent)
        .find((text) => text?.endsWith("still loading"))
      if (text !== undefined && told.at(-1) !== text) told.push(text)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await follow(page, "#/record")
  await wholeOwn(page)
  const told = await page.evaluate(() => Object(globalThis).told as ReadonlyArray<string>)
  const counts = told.map((text) => {
    const [, read, whole] = /^([\d,]+) of ([\d,]+), still loading$/.exec(text) ?? assert.fail(text)
    assert.strictEqual(whole, all.toLocaleString("en-US"))
    return Number(read!.replaceAll(",", ""))
  })
  assert.isAtLeast(counts.filter((count) => count > 0 && count < all).length, 3, told.join("; "))
  assert.deepStrictEqual(counts, counts.toSorted((a, b) => a - b))
  await card(page, "Everything else").getByText(`${all.toLocaleString("en-US")} items`).waitFor()

  await follow(page, "#/record/all")
  await heading(page, "All of my record").waitFor()
  await page.getByText(`${all.toLocaleString("en-US")} items`).waitFor()
  assert.strictEqual(await page.locator(".item-link").count(), 100)
  await page.getByRole("button", { name: "Show 100 more" }).click()
  assert.strictEqual(await page.locator(".item-link").count(), 200)
  await page.getByLabel("Search by name or value").fill("no such thing at all")
  await page.getByText("No item matches this search.").waitFor()

  const ids = await itemIds(app, veteran)
  const [reference, id] = [...ids][500]!
  await follow(page, `#/record/item/${id}`)
  await page.locator("summary", { hasText: "Show the source" }).click()
  const source = await page.getByRole("group", { name: "Source" }).innerText()
  assert.strictEqual(JSON.parse(source).id, reference.split("/")[1])
})
