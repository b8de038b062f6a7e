import type { FrameLocator, Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { createLink } from "../http/link/Links.ts"
import { signed } from "../http/release/Releases.ts"
import { writeNote } from "../http/Sharing.ts"
import { giveGrant, registerVeterans, signIn } from "../support/Client.ts"
import { patientTexts } from "../support/Collection.ts"
import { sync } from "../support/Sync.ts"
import { openBrowser } from "./Browser.ts"
import { showDocument, signInAt, uploadTo } from "./document/SharedDocuments.ts"
import { openHostileTab } from "./hostile/Canary.ts"
import { dealer, hostileResource } from "./hostile/HostileResource.ts"
import { hostileCda, hostileHtml, hostilePdf, hostileSvg, payloads, pressableHtml } from "./hostile/Payloads.ts"
import { frameOf, read } from "./link/Recipients.ts"
import { openPortal } from "./Portal.ts"
import { selfReport, share, wholeRecord } from "./record/Records.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const shared = await share(service, {})

const open = async () => {
  const tab = await openHostileTab(browser, [portal, service.url])
  await signInAt(tab.page, portal, shared)
  return tab
}

/** Stores a record of the veteran's in which each text is a payload. Returns how many items it has of which types. */
const storeHostile = async () => {
  const next = dealer()
  const texts = Object.fromEntries(
    Object.entries(patientTexts("hl7-example")).map(([type, resources]) => [
      type,
      resources.slice(0, 1).map((text) => JSON.stringify(hostileResource(JSON.parse(text), next)))
    ])
  )
  const types = Object.keys(texts)
  await sync(service, shared.veteran, Object.fromEntries(types.map((type) => [type, "complete"])), texts)
  const items = Object.values(texts).flat().length
  assert.isAtLeast(items, 20)
  return { items, types }
}

/** Opens this many items of a record one after the other, with all that they unfold. */
const openItems = async (page: Page, record: Page | FrameLocator, items: number) => {
  await record.locator("[data-item]").first().focus()
  for (let item = 0; item < items; item++) {
    await page.keyboard.press("Enter")
    await record.locator("h3:focus").waitFor()
    await record.locator("summary").evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()))
    await page.keyboard.press("Escape")
    await record.locator("[data-item]:focus").waitFor()
    await page.keyboard.press("ArrowDown")
  }
}

describe("Hostile content", () => {
  test("The canary notices content that does run", async () => {
    const { assertQuiet, expect, page } = await openHostileTab(browser, [portal, service.url])
    expect(/ERR_/)
    const body = "<!doctype html><body onload=canary()><img alt=a src=https://canary.example/a.png>"
    await page.route(`${portal}/open`, (route) => route.fulfill({ contentType: "text/html", body }))
    await page.goto(`${portal}/open`)
    await assertQuiet().then(() => assert.fail("It was not noticed."), ({ actual }) => {
      assert.deepStrictEqual(actual, {
        strays: ["https://canary.example/a.png"],
        sung: [`${portal}/open`],
        tampered: ["onload=canary()", "src=https://canary.example/a.png"]
      })
    })
  })

  test("Content that was not rewritten does not run in a sandboxed frame, even if it is clicked", async () => {
    const { assertQuiet, expect, page } = await openHostileTab(browser, [portal, service.url])
    const { headers } = await fetch(portal)
    await page.route(`${portal}/frame`, (route) =>
      route.fulfill({
        headers: { "content-security-policy": headers.get("content-security-policy")! },
        contentType: "text/html",
        body: `<!doctype html><iframe sandbox="" title="Frame" srcdoc="${
          (pressableHtml + hostileHtml).replaceAll("&", "&amp;").replaceAll("\"", "&quot;")
        }"></iframe>`
      }))
    // The policy causes each of these messages.
    expect(/Content Security Policy|sandboxed|policy:|net::ERR_FAILED/)
    await page.goto(`${portal}/frame`)
    const pressed = page.frameLocator("iframe").locator("a, button, input[type=submit], area")
    const count = await pressed.count()
    assert.isAtLeast(count, 14)
    for (let index = 0; index < count; index++) {
      await page.reload()
      await pressed.nth(index).dispatchEvent("click")
      await page.waitForTimeout(50)
    }
    await assertQuiet()
  })

  test("Hostile content does not run in the list of patients", async () => {
    const owner = await database.connect("superuser")
    const veterans = await registerVeterans(owner, payloads.length)
    for (const [index, veteran] of veterans.entries()) {
      const callSign = payloads[index]!.slice(0, 100)
      await owner.query("update veterans set call_sign = $2 where id = $1", [veteran.id, callSign])
      await giveGrant(service, await signIn(service, veteran), shared.provider, { purpose: payloads[index] })
    }
    const { assertQuiet, page } = await open()
    await page.getByText("javascript:canary()", { exact: true }).first().waitFor()
    await assertQuiet()
  })

  test("Hostile content does not run in a record, its entries, its notes or any of its items", async () => {
    const { veteran } = shared
    const { items } = await storeHostile()
    for (const text of payloads) {
      await selfReport(service, veteran, { category: "note", text })
      await writeNote(service, shared.provider, veteran, { text })
    }
    const { assertQuiet, page } = await open()
    await page.evaluate((hash) => void (location.hash = hash), `#/patients/${veteran.id}`)
    await wholeRecord(page)
    await openItems(page, page, items)
    await assertQuiet()
  })

  test("Hostile content does not run in the record that a link opens", async () => {
    const { veteran } = shared
    const { items, types } = await storeHostile()
    const { document } = await signed(service, veteran, { information: { resourceTypes: types } })
    const link = await createLink(service, veteran, { documentId: document.id })
    const { assertQuiet, page } = await openHostileTab(browser, [portal, service.url])
    await read(page, portal, service, link)
    const frame = frameOf(page)
    await openItems(page, frame, items)
    await frame.getByRole("tab", { name: "Signed document" }).click()
    await frame.locator("canvas").first().waitFor()
    await assertQuiet()
  })

  test("Hostile content does not run in an uploaded HTML page, SVG drawing, CDA document or text", async () => {
    const { assertQuiet, page } = await open()
    const inFrame = (says: string) => page.frameLocator("iframe").getByText(says).first().waitFor()
    const show = async (content: string, name: string) =>
      showDocument(page, shared, await uploadTo(service, shared, content, name))

    await show(hostileHtml, "<img src=x onerror=canary()>.html")
    await inFrame("The end of the letter.")
    assert.strictEqual(await page.frameLocator("iframe").locator("a, [style], [src], [href], form, input").count(), 0)
    await assertQuiet()

    await show(hostileSvg, "a.svg\">")
    await inFrame("foreignObject")
    await assertQuiet()

    await show(hostileCda, "__proto__")
    await inFrame("Penicillin")
    await assertQuiet()

    await show(`Text:\n${payloads.join("\n")}`, "javascript:canary()")
    await page.getByRole("region", { name: "Text" }).getByText("set-cookie").waitFor()
    await assertQuiet()
  })

  test("Hostile content does not run in a PDF with scripts, links, programs and forms", async () => {
    const { assertQuiet, page } = await open()
    await showDocument(page, shared, await uploadTo(service, shared, hostilePdf, "</script>\u202efdp.exe"))
    await page.locator("canvas").first().waitFor()
    await page.getByText("<script>canary", { exact: true }).waitFor({ state: "attached" })
    await page.locator("canvas").first().click()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await assertQuiet()
  })
})
