import { assert, describe, test } from "vitest"
import { awkward } from "../clinical/SharedRecords.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { openRecord, share, wholeRecord } from "./record/Records.ts"
import { condition, patient, small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const long = "Pneumonoultramicroscopicsilicovolcanoconiosis".repeat(12)

describe("A record", () => {
  test("A record with odd resources, very long names and right-to-left text needs no sideways scroll", async () => {
    const odd = Map.groupBy(
      awkward.filter(({ resourceType, text }) => {
        const { id } = JSON.parse(text)
        return resourceType !== "Patient" && typeof id === "string" && /^[\w.-]{1,64}$/.test(id)
      }),
      ({ resourceType }) => resourceType
    )
    const texts = Object.fromEntries([...odd].map(([type, items]) => [type, items.map(({ text }) => text)]))
    const shared = await share(
      service,
      {
        ...texts,
        Patient: patient({ name: [{ text: long }], birthDate: "1950" }),
        Condition: [...texts["Condition"] ?? [], condition("long", long), condition("rtl", "ارتفاع ضغط الدم (שלום)")]
      },
      {},
      { purpose: long.slice(0, 500) }
    )
    const { page } = await openTab(browser, { viewport: { width: 360, height: 800 } })
    await openRecord({ page }, portal, shared)
    await wholeRecord(page)
    await page.getByRole("button", { name: "ارتفاع ضغط الدم (שלום)" }).first().click()
    const detail = page.getByRole("region", { name: "ارتفاع ضغط الدم (שלום)" })
    await detail.getByText("Status").waitFor()
    assert.strictEqual(await detail.locator("h3").evaluate((heading) => getComputedStyle(heading).direction), "rtl")
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
    }
    assert.notMatch(await page.locator("body").innerText(), /undefined|\[object|NaN/)
  })

  test("A record of 20,000 results can be searched and scrolled to its end with few rows rendered", async () => {
    const { page, context } = await openTab(browser)
    const item = (n: number) =>
      `{"id":"${n}","resourceType":"Observation","fhirId":"o${n}","active":true,"syncedAt":"2026-01-01T00:00:00Z",` +
      `"resource":{"resourceType":"Observation","id":"o${n}","status":"final","category":[{"coding":[{"code":"laboratory"}]}],` +
      `"code":{"coding":[{"system":"http://loinc.org","code":"${n % 50}-1","display":"Test ${n % 50}"}]},` +
      `"effectiveDateTime":"${2000 + n % 20}-0${1 + n % 9}-1${
        n % 9
      }","valueQuantity":{"value":${n}.00,"unit":"mg/dL"}}}`
    await context.route(/\/record\?/, (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? "0")
      const items = Array.from({ length: 2000 }, (_, index) => item(from + index))
      const next = from + 2000 < 20_000 ? `"${from + 2000}"` : "null"
      const section =
        `{"resourceType":"Observation","state":"complete","lastFetch":"complete","lastCompleteAt":"2026-01-01T00:00:00Z",` +
        `"itemCount":20000,"items":[${items.join(",")}],"nextCursor":${next}}`
      return route.fulfill({
        contentType: "application/json",
        headers: { "access-control-allow-origin": portal },
        body:
          `{"veteran":{"callSign":"Eagle"},"grant":{"purpose":"t","expiresAt":"2099-01-01T00:00:00Z"},"alerts":[],` +
          `"sections":[${section}],"selfReported":[],"notes":[],"documents":[]}`
      })
    })
    await openRecord({ page }, portal, await share(service, { Patient: small["Patient"]! }))
    await page.getByText("20,000 items", { exact: true }).waitFor()
    await page.getByLabel("Search by name or value").fill("19999.00")
    await page.getByText("1 of 20,000 items", { exact: true }).waitFor()
    await page.getByLabel("Search by name or value").fill("test 49")
    await page.getByText(/^\d+ of 20,000 items$/).waitFor()
    await page.getByLabel("Search by name or value").fill("")
    await page.getByText("20,000 items", { exact: true }).waitFor()
    await page.locator("[data-item][tabindex='0']").focus()
    await page.keyboard.press("End")
    await page.waitForFunction(() => document.activeElement?.closest("tr")?.getAttribute("aria-rowindex") === "20001")
    assert.isBelow(await page.locator("[data-item]").count(), 60)
  })
})
