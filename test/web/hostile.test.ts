import { describe, test } from "vitest"
import { giveGrant, registerVeterans, signIn } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import { openShare, share, showDocument, signInAt } from "./document/SharedDocuments.ts"
import { openHostileTab } from "./hostile/Canary.ts"
import { hostileCda, hostileHtml, hostilePdf, hostileSvg, payloads } from "./hostile/Payloads.ts"
import { openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const shared = await openShare(service)

const open = async () => {
  const tab = await openHostileTab(browser, [portal, service.url])
  await signInAt(tab.page, portal, shared)
  return tab
}

describe("What a stranger writes runs nowhere", () => {
  test("on the list of patients", async () => {
    const owner = await database.connect("superuser")
    const veterans = await registerVeterans(owner, payloads.length)
    for (const [index, veteran] of veterans.entries()) {
      const callSign = payloads[index]!.slice(0, 100)
      await owner.query("update veterans set call_sign = $2 where id = $1", [veteran.id, callSign])
      await giveGrant(service, await signIn(service, veteran), shared.provider, { purpose: payloads[index] })
    }
    const { assertQuiet, page } = await open()
    await page.getByText("javascript:canary()", { exact: true }).first().waitFor()
    await page.screenshot({ path: "/tmp/W3/hostile-patients.png", fullPage: true })
    await assertQuiet()
  })

  test("in an uploaded page, drawing, clinical document and text", async () => {
    const { assertQuiet, page } = await open()
    const inFrame = (says: string) => page.frameLocator("iframe").getByText(says).first().waitFor()
    const show = async (content: string, name: string) =>
      showDocument(page, shared, await share(service, shared, content, name))

    await show(hostileHtml, "<img src=x onerror=canary()>.html")
    await inFrame("The end of the letter.")
    await page.screenshot({ path: "/tmp/W3/hostile-html.png", fullPage: true })
    await assertQuiet()

    await show(hostileSvg, "a.svg\">")
    await inFrame("foreignObject")
    await assertQuiet()

    await show(hostileCda, "__proto__")
    await inFrame("Penicillin")
    await page.screenshot({ path: "/tmp/W3/hostile-cda.png", fullPage: true })
    await assertQuiet()

    await show(`Text:\n${payloads.join("\n")}`, "javascript:canary()")
    await page.getByRole("region", { name: "Text" }).getByText("set-cookie").waitFor()
    await assertQuiet()
  })

  test("in a PDF with scripts, links, programs and forms", async () => {
    const { assertQuiet, page } = await open()
    await showDocument(page, shared, await share(service, shared, hostilePdf, "</script>\u202efdp.exe"))
    await page.locator("canvas").first().waitFor()
    await page.locator("canvas").first().click()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.screenshot({ path: "/tmp/W3/hostile-pdf.png", fullPage: true })
    await assertQuiet()
  })
})
