import { createHash, randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, test } from "vitest"
import { recipientCopy } from "../http/document/Copies.ts"
import { download, signed } from "../http/release/Releases.ts"
import { openApp, openFolder } from "../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../support/Client.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()

/** A second service, whose releases the service under test does not know. */
const elsewhere = await openApp()

const browser = await openBrowser()

interface Release {
  readonly id: string
  readonly veteran: SignedIn
  readonly own: Buffer
  readonly recipients: Buffer
}

const signRelease = async ({ database, service }: Awaited<ReturnType<typeof openApp>>): Promise<Release> => {
  const veteran = await signInVeteran(service)
  const { id } = (await signed(service, veteran)).document
  const { bytes: own } = await download(service, veteran, `/api/veteran/me/documents/${id}/content`)
  const superuser = await database.connect("superuser")
  return { id, veteran, own, recipients: await recipientCopy(service, superuser, id) }
}

let release: Release

beforeAll(async () => {
  release = await signRelease({ database, service })
})

const choose = (page: Page, bytes: Buffer, name = "release.pdf") =>
  page.getByLabel("Choose the PDF that you were given").setInputFiles({
    name,
    mimeType: "application/pdf",
    buffer: bytes
  })

/** Opens the page, chooses the file, and returns the finding. */
const find = async (bytes: Buffer, fragment = "") => {
  const tab = await openTab(browser)
  await tab.page.goto(`${portal}/verify${fragment}`)
  await choose(tab.page, bytes)
  const title = tab.page.locator(".usa-alert__heading")
  await title.waitFor()
  return { ...tab, title: await title.textContent(), text: await tab.page.getByRole("main").innerText() }
}

const changed = (bytes: Buffer) => {
  const copy = Buffer.from(bytes)
  copy[2000]! ^= 1
  return copy
}

const fieldOf = (page: Page) => page.getByLabel("Choose the PDF that you were given")

describe("The page that verifies", () => {
  test("The field names the file that was checked, and takes the same file again", async () => {
    const { page } = await find(release.own)
    assert.match(await fieldOf(page).inputValue(), /release\.pdf$/)
    await choose(page, changed(release.own))
    await page.getByText("This file was changed").waitFor()
    assert.match(await fieldOf(page).inputValue(), /release\.pdf$/)
  })

  test("Both copies are genuine and in force, with or without the release's number in the address", async () => {
    for (const [bytes, whose] of [[release.own, "the veteran's"], [release.recipients, "the recipient's"]] as const) {
      for (const fragment of ["", `#${release.id}`]) {
        const { text, title } = await find(bytes, fragment)
        assert.strictEqual(title, "Genuine and in force")
        assert.include(text, release.id)
        assert.include(text, whose)
        assert.match(text, /in force until \w{3} \d{1,2}, \d{4}\./)
      }
    }
  })

  test("The page sends only the release's number and the file's SHA-256, and no part of the file", async () => {
    const { context, page } = await openTab(browser)
    const bodies: Array<unknown> = []
    context.on("request", (request) => request.method() === "POST" ? bodies.push(request.postDataJSON()) : undefined)
    await page.goto(`${portal}/verify`)
    await choose(page, release.own)
    await page.getByText("Genuine and in force").waitFor()
    const sha256 = createHash("sha256").update(release.own).digest("hex")
    assert.deepStrictEqual(bodies, [{ documentId: release.id, sha256 }])
  })

  test("A file with a changed byte or an addition is reported as changed", async () => {
    for (const bytes of [changed(release.own), Buffer.concat([release.own, Buffer.from("% added")])]) {
      assert.strictEqual((await find(bytes)).title, "This file was changed")
    }
  })

  test("The page says that a file without a seal is not a signed release", async () => {
    const pdf = Buffer.from("%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF")
    assert.strictEqual((await find(pdf)).title, "This is not a signed release")
  })

  test("A file that another service sealed is unknown, even if the address names a release", async () => {
    const { own } = await signRelease(elsewhere)
    const { text, title } = await find(own, `#${release.id}`)
    assert.strictEqual(title, "We do not know this file")
    assert.include(text, "unbroken, made in the name of")
  })

  test("A revoked release is reported as revoked", async () => {
    const { id, own, veteran } = await signRelease({ database, service })
    await call(service, "POST", `/api/veteran/me/roi/${id}/revoke`, { headers: veteran.headers })
    assert.strictEqual((await find(own)).title, "Genuine, but it was revoked")
  })

  test("A replaced release is reported as replaced", async () => {
    const { id, own, veteran } = await signRelease({ database, service })
    await signed(service, veteran, { supersedes: id })
    assert.strictEqual((await find(own)).title, "Genuine, but it was replaced")
  })

  test("A file that is not a PDF is refused, and the page says if its address names a different document", async () => {
    const { page } = await openTab(browser)
    await page.goto(`${portal}/verify#${randomUUID()}`)
    await choose(page, Buffer.from("a letter"), "letter.txt")
    await page.getByText("This is not a PDF. Choose the file as you received it.").waitFor()
    await choose(page, release.own)
    await page.getByText("This page was opened for a different document than the file that you chose.").waitFor()
  })

  test("The seal is checked even if the service is away, and the service can be asked again", async () => {
    const { expect, page } = await openTab(browser)
    expect(/ERR_FAILED/)
    await page.goto(`${portal}/verify`)
    const route = "**/api/releases/verify"
    await page.route(route, (request) => request.abort())
    await choose(page, release.own)
    await page.getByText("The file is unchanged, but we could not ask about it").waitFor()
    await page.unroute(route)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("Genuine and in force").waitFor()
  })

  test("A file can be chosen by keyboard or dropped", async () => {
    const { page } = await openTab(browser)
    await page.goto(`${portal}/verify`)
    await page.getByRole("heading", { level: 1 }).waitFor()
    const folder = await openFolder()
    await writeFile(join(folder, "release.pdf"), release.own)
    await page.keyboard.press("Tab")
    const choosing = page.waitForEvent("filechooser")
    // Playwright asks the tab to report file dialogs, but does not wait for a reply. A key press could arrive before
    // that request. This evaluation arrives after the request, so the key press below does too.
    assert.strictEqual(await page.evaluate(() => (document.activeElement as HTMLInputElement).type), "file")
    await page.keyboard.press("Enter")
    await (await choosing).setFiles(join(folder, "release.pdf"))
    await page.getByText("Genuine and in force").waitFor()
    await page.reload()
    const files = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0)!)
      transfer.items.add(new File([bytes], "release.pdf", { type: "application/pdf" }))
      return transfer
    }, release.own.toString("base64"))
    await page.getByText("You can also drop it on this box.").waitFor()
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: files })
    await page.getByText("Genuine and in force").waitFor()
    assert.strictEqual(await fieldOf(page).evaluate((field: HTMLInputElement) => field.files?.[0]?.name), "release.pdf")
  })
})
