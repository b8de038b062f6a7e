import { createHash, randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, test } from "vitest"
import { recipientCopy } from "../http/document/Copies.ts"
import { download, signed } from "../http/release/Releases.ts"
import { openApp, openFolder } from "../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
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

/** Chooses the file and waits for the finding with this title. Returns the page's text. */
const find = async (page: Page, bytes: Buffer, title: string) => {
  await choose(page, bytes)
  await page.locator(".usa-alert__heading").getByText(title, { exact: true }).waitFor()
  return page.getByRole("main").innerText()
}

const changed = (bytes: Buffer) => {
  const copy = Buffer.from(bytes)
  copy[2000]! ^= 1
  return copy
}

const fieldOf = (page: Page) => page.getByLabel("Choose the PDF that you were given")

const genuine = "Genuine and in force"

describe("The page that verifies", () => {
  test("A file is chosen by keyboard or dropped, sends only its SHA-256, and is checked even without the service", async () => {
    const { context, expect, look, order, page } = await openInspection(browser)
    expect(/ERR_FAILED/)
    const bodies: Array<unknown> = []
    context.on("request", (request) => request.method() === "POST" ? bodies.push(request.postDataJSON()) : undefined)
    await page.goto(`${portal}/verify`)
    await page.getByRole("heading", { level: 1, name: "Check a signed release" }).waitFor()
    await look("verify")
    const folder = await openFolder()
    await writeFile(join(folder, "release.pdf"), release.own)
    await page.keyboard.press("Tab")
    const choosing = page.waitForEvent("filechooser")
    // Playwright asks the tab to report file dialogs, but does not wait for a reply. A key press could arrive before
    // that request. This evaluation arrives after the request, so the key press below does too.
    assert.strictEqual(await page.evaluate(() => (document.activeElement as HTMLInputElement).type), "file")
    await page.keyboard.press("Enter")
    await (await choosing).setFiles(join(folder, "release.pdf"))
    await page.getByText(genuine).waitFor()
    // The page sends only the release's number and the file's SHA-256, and no part of the file.
    const sha256 = createHash("sha256").update(release.own).digest("hex")
    assert.deepStrictEqual(bodies, [{ documentId: release.id, sha256 }])

    // The field names the file that was checked, and takes another file of the same name.
    assert.match(await fieldOf(page).inputValue(), /release\.pdf$/)
    await find(page, changed(release.own), "This file was changed")
    assert.match(await fieldOf(page).inputValue(), /release\.pdf$/)

    const files = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0)!)
      transfer.items.add(new File([bytes], "dropped.pdf", { type: "application/pdf" }))
      return transfer
    }, release.own.toString("base64"))
    await page.getByText("You can also drop it on this box.").waitFor()
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: files })
    await page.getByText(genuine).waitFor()
    assert.strictEqual(await fieldOf(page).evaluate((field: HTMLInputElement) => field.files?.[0]?.name), "dropped.pdf")

    // The seal is checked even if the service is away, and the service can be asked again.
    const route = "**/api/releases/verify"
    await page.route(route, (request) => request.abort())
    await find(page, release.own, "The file is unchanged, but we could not ask about it")
    await look("verify, not asked")
    const field = "button Choose the PDF that you were given"
    assert.deepStrictEqual(await order(), ["link Skip to main content", field, "button Try again"])
    await page.unroute(route)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText(genuine).waitFor()
  })

  test("The page tells files in force from those that were changed, revoked or replaced, or that are no release", async () => {
    const { look, page } = await openInspection(browser)
    await page.goto(`${portal}/verify`)
    const assertInForce = async (bytes: Buffer, whose: string) => {
      const text = await find(page, bytes, genuine)
      assert.include(text, release.id)
      assert.include(text, whose)
      assert.match(text, /in force until \w{3} \d{1,2}, \d{4}\./)
    }
    await assertInForce(release.own, "the veteran's")
    await look("verify, in force")
    await find(page, changed(release.own), "This file was changed")
    await look("verify, changed")
    await assertInForce(release.recipients, "the recipient's")
    await find(page, Buffer.concat([release.own, Buffer.from("% added")]), "This file was changed")
    const pdf = Buffer.from("%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF")
    await find(page, pdf, "This is not a signed release")
    await look("verify, no release")
    const { id, own, veteran } = await signRelease({ database, service })
    await call(service, "POST", `/api/veteran/me/roi/${id}/revoke`, { headers: veteran.headers })
    await find(page, own, "Genuine, but it was revoked")
    await look("verify, revoked")
    const replaced = await signRelease({ database, service })
    await signed(service, replaced.veteran, { supersedes: replaced.id })
    await find(page, replaced.own, "Genuine, but it was replaced")

    // The address may name a release. A file that another service sealed is unknown all the same.
    await page.goto("about:blank")
    await page.goto(`${portal}/verify#${release.id}`)
    await assertInForce(release.own, "the veteran's")
    const text = await find(page, (await signRelease(elsewhere)).own, "We do not know this file")
    assert.include(text, "unbroken, made in the name of")
    await assertInForce(release.recipients, "the recipient's")
  })

  test("A file that is not a PDF is refused, and the page says if its address names a different document", async () => {
    const { look, page } = await openInspection(browser)
    await page.goto(`${portal}/verify#${randomUUID()}`)
    await choose(page, Buffer.from("a letter"), `${"w".repeat(120)}.txt`)
    await page.getByText("This is not a PDF. Choose the file as you received it.").waitFor()
    await look("verify, refused, with a long name")
    await choose(page, release.own)
    await page.getByText("This page was opened for a different document than the file that you chose.").waitFor()
  })
})
