import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { attachmentsOf } from "../../src/client/PdfAttachments.ts"
import { translationWords } from "../../src/clinical/CcdaAbout.ts"
import { recipientCopy, storeCopy } from "../http/document/Copies.ts"
import { createLink, type Link, revokeLink } from "../http/link/Links.ts"
import { signed, upload } from "../http/release/Releases.ts"
import { assertCda } from "../support/CdaSchema.ts"
import { signInVeteran } from "../support/Client.ts"
import { openTcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { askForCode, enter, frameOf, heading, open, read, saved } from "./link/Recipients.ts"
import { once } from "./pages/Refusals.ts"
import { openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()

const superuser = await database.connect("superuser")

const browser = await openBrowser()

const veteran = await signInVeteran(service)

describe("An open document", () => {
  const content = Buffer.from("Dear Dr. Gray,\n")

  test("One view gives the PDF, page by page and to save, the record, also as a valid C-CDA, and each attached document", async () => {
    const documentIds: Array<string> = []
    for (const name of ["letter.txt", "../../résumé <b>&amp;.txt"]) {
      documentIds.push((await upload(service, veteran, content, name)).json.id)
    }
    const information = { resourceTypes: ["Condition"], documentIds }
    const { document } = await signed(service, veteran, { information })
    const { expect, page, requests } = await openTab(browser)
    expect(/ERR_FAILED/)
    await read(page, portal, service, await createLink(service, veteran, { documentId: document.id }))
    const copy = await recipientCopy(service, superuser, document.id)
    const files = await attachmentsOf(copy)
    assert.isTrue((await saved(page, /^Save the PDF/)).bytes.equals(copy))
    const authorization = await saved(page, "Save the authorization (JSON)")
    assert.isTrue(authorization.bytes.equals(files.get("authorization.json")!))
    const letters = page.getByRole("button", { name: /\.txt$/ })
    assert.strictEqual(await letters.count(), 2)
    for (const name of await letters.allInnerTexts()) {
      const letter = await saved(page, name)
      assert.isTrue(letter.bytes.equals(content))
      assert.match(letter.name, /^[^/\\<>:]+\.txt$/)
    }

    // A C-CDA that cannot be made is told in words, and the files can still be saved.
    await page.route(/TranslationWorker/, (route) => route.abort())
    await page.getByRole("button", { name: "Download as C-CDA" }).click()
    await page.getByText("We can't translate this record to C-CDA. Save the record as FHIR instead.").waitFor()
    const record = await saved(page, "Save the record (FHIR)")
    assert.strictEqual(record.name, "release-of-information.fhir.json")
    assert.isTrue(record.bytes.equals(files.get("record.fhir.json")!))
    await page.unroute(/TranslationWorker/)

    // The C-CDA is made on the device, and the words beside it say that it is a translation.
    const made = page.getByRole("region", { name: "Made from the record" })
    await made.getByRole("button", { name: "Download as C-CDA" }).waitFor()
    const before = requests.length
    const { bytes, name } = await saved(page, "Download as C-CDA (for your EHR)")
    assert.strictEqual(name, "release-of-information.ccda.xml")
    assertCda(bytes.toString())
    assert.include(bytes.toString(), translationWords)
    await page.getByText("The record as FHIR is exact, and the C-CDA is not.").waitFor()
    const asked = requests.slice(before).filter((request) => /\/api\/(?!secure-links\/status)/.test(request))
    assert.deepStrictEqual(asked, [])

    // Each page has its text for screen readers.
    const frame = frameOf(page)
    await frame.getByRole("tab", { name: "Signed document" }).click()
    await frame.getByRole("region", { name: "Page 1 of" }).locator("canvas").waitFor()
    await frame.getByRole("heading", { name: "Authorization to Release Health Information" }).first().waitFor()
    assert.lengthOf(requests.filter((request) => request.endsWith("/api/secure-links/view")), 1)
  })
})

describe("A large document", () => {
  /** In bytes. Far larger than the buffers of the kernel and of the browser. */
  const size = 24 * 1024 * 1024

  let link: Link

  let copy: Buffer

  let proxy: Awaited<ReturnType<typeof openTcpProxy>>

  beforeEach(async () => {
    link = await createLink(service, veteran)
    copy = await storeCopy(service, superuser, link.documentId, size)
    proxy = await openTcpProxy(() => Number(new URL(service.url).port))
  })

  /** Opens the link in a tab that reaches the service through the proxy, and returns the mailed code. */
  const openByProxy = async () => {
    // The page's content security policy would refuse the proxy, because it allows only the service's own port.
    const { expect, page, requests } = await openTab(browser, { bypassCSP: true })
    expect(/ERR_|status of 410/)
    await page.route("**/config.json", (route) => route.fulfill({ json: { api: `http://localhost:${proxy.port}` } }))
    await open(page, portal, link)
    const code = await askForCode(page, service)
    return { page, code, views: () => requests.filter((request) => request.endsWith("/view")).length }
  }

  const assertSaved = async (page: Page) => {
    await heading(page, "Your document is open")
    const { bytes } = await saved(page, /^Save the PDF/)
    assert.isTrue(bytes.equals(copy))
  }

  test("A document that cannot be shown can still be saved", async () => {
    copy = await storeCopy(service, superuser, link.documentId, 100_000)
    const { code, page } = await openByProxy()
    await enter(page, code)
    await heading(page, "Your document is open")
    await frameOf(page).getByText("We can't show this here.").first().waitFor()
    await assertSaved(page)
  })

  test("A transfer that breaks three times resumes each time, without asking the recipient", async () => {
    const { code, page, views } = await openByProxy()
    let cuts = 0
    await page.route("**/api/secure-links/view", async (route) => {
      // Each number counts bytes from where the transfer begins or resumes. The service resumes at most 4 MiB before
      // the last byte that its socket took. The page has received less, because the rest is still in buffers. By the
      // first cut, the socket may have taken the whole file. So this cut comes less than 4 MiB before the end.
      const cut = [size - 4_000_000, 1_000_000, 1_000_000][cuts++]
      if (cut !== undefined) proxy.cutAfter(cut)
      await route.continue()
    })
    await enter(page, code)
    await assertSaved(page)
    assert.strictEqual(views(), 4)
  })

  test("A transfer whose connection falls silent resumes", async () => {
    const { code, page, views } = await openByProxy()
    await page.route(
      "**/api/secure-links/view",
      once(async (route) => {
        proxy.forgetAfter(size - 2_500_000)
        await route.continue()
      })
    )
    await enter(page, code)
    await assertSaved(page)
    assert.strictEqual(views(), 2)
  })

  /** Breaks the transfer, and calls `act` before it can resume. */
  const brokenThen = async (act: () => Promise<unknown>) => {
    const { code, page } = await openByProxy()
    await page.route("**/api/secure-links/view", async (route) => {
      if (route.request().postDataJSON().offset === undefined) proxy.cutAfter(6_000_000)
      else await act()
      await route.continue()
    })
    await enter(page, code)
    return page
  }

  test("A transfer that can no longer be resumed stops, and a new code is offered", async () => {
    const page = await brokenThen(() =>
      until("the end is noted", async () => {
        const late = await superuser.query(
          "update secure_link_view_sessions set broke_at = broke_at - interval '61 seconds' where link_id = $1 and broke_at is not null",
          [link.id]
        )
        return late.rowCount! > 0
      })
    )
    await heading(page, "The download stopped")
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
  })

  test("If the link is turned off during the transfer, the page says so", async () => {
    const page = await brokenThen(() => revokeLink(service, veteran, link))
    await heading(page, "This link was turned off")
  })
})
