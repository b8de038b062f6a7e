import { describe, test } from "vitest"
import { download, signed } from "../http/release/Releases.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { pdfOf } from "./document/Pdfs.ts"
import { openShare, share, showDocument, signInAt } from "./document/SharedDocuments.ts"
import { openPortal } from "./Portal.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()
const shared = await openShare(service)

const openDocument = async (content: string | Uint8Array, name: string) => {
  const id = await share(service, shared, content, name)
  const tab = await openTab(browser)
  await signInAt(tab.page, portal, shared)
  await showDocument(tab.page, shared, id)
  return tab
}

describe("The document screen", () => {
  test("shows the pages of a PDF with their text", async () => {
    const { page, requests } = await openDocument(await pdfOf(3), "letter.pdf")
    await page.getByText("This is page 1.").waitFor({ state: "attached" })
    await page.locator("canvas").first().waitFor()
    await page.screenshot({ path: "/tmp/W3/pdf.png" })
    console.log(requests.join("\n"))
  })
  test("shows a signed release", async () => {
    const { document } = await signed(service, shared.veteran)
    const { bytes } = await download(service, shared.veteran, `/api/veteran/me/documents/${document.id}/content`)
    const { page } = await openDocument(bytes, "release.pdf")
    await page.locator("canvas").first().waitFor()
    await page.screenshot({ path: "/tmp/W3/release.png" })
    await page.getByRole("button", { name: "Show as text" }).click()
    await page.screenshot({ path: "/tmp/W3/release-text.png", fullPage: true })
  })
})
