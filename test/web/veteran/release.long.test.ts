import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { download, upload } from "../../http/release/Releases.ts"
import { attachedAs } from "../../services/pdf/PdfTools.ts"
import { call } from "../../support/Client.ts"
import { sync } from "../../support/Sync.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { button, heading } from "../Portal.ts"
import { inspectTab } from "./Inspected.ts"
import { tabTo } from "./Keyboard.ts"
import { newSharer, type Sharer } from "./Sharers.ts"
import {
  atDone,
  enterRelease,
  fillRecord,
  fillSignature,
  fillWho,
  leadToPreview,
  nameTold,
  next,
  recipient,
  releasesOf,
  signButton,
  signerName
} from "./Signers.ts"
import { stored } from "./Stored.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
  await fillRecord(app, veteran)
})

const phone = { viewport: { width: 360, height: 740 } }

/** Opens the preview and leaves it after these milliseconds, sooner than a person or Playwright can. */
const lookFor = async (milliseconds: number) => {
  const named = (name: string) =>
    [...document.querySelectorAll("button")].find(({ innerText }) => innerText.includes(name))
  const after = (wait: number) => new Promise((resolve) => setTimeout(resolve, wait))
  named("Look at the preview again")?.click()
  while (named("Go on") === undefined) await after(0)
  await after(milliseconds)
  named("Go on")?.click()
}

const verify = async (id: string, bytes: Uint8Array) =>
  (await call(service, "POST", "/api/releases/verify", {
    body: { documentId: id, sha256: createHash("sha256").update(bytes).digest("hex") }
  })).json

/** What a release says was signed. */
const signedOf = async (id: string) => {
  const { bytes } = await download(service, veteran, `/api/veteran/me/documents/${id}/content`)
  return JSON.parse((await attachedAs(bytes, "authorization.json")).toString())
}

/** Draws a signature with the mouse. */
const draw = async (page: Page) => {
  await button(page, "Draw a signature too (you need not)").click()
  const canvas = page.getByRole("img", { name: "Your drawn signature" })
  await canvas.scrollIntoViewIfNeeded()
  const { height, width, x, y } = (await canvas.boundingBox())!
  await page.mouse.move(x + 20, y + height / 2)
  await page.mouse.down()
  for (let n = 0; n <= 20; n++) await page.mouse.move(x + 20 + (width - 40) * n / 20, y + height * (0.3 + n % 3 / 5))
  await page.mouse.up()
  await page.getByText("There is a drawing.").waitFor()
}

const previews = (requests: ReadonlyArray<string>) => requests.filter((one) => /^POST .*\/roi\/preview$/.test(one))

describe("A release", () => {
  test("is signed by keyboard alone, with all that was chosen, and nothing stays on the device", async () => {
    const { page, requests } = await openTab(browser, { ...phone, acceptDownloads: true })
    const { keyboard } = page
    const to = (name: string) => tabTo(page, name)
    const uploaded = await upload(service, veteran, "A letter of mine", "letter of mine.txt")
    assert.strictEqual(uploaded.status, 201, uploaded.text)
    await enterRelease(page, app, veteran)
    await heading(page, "Who gets it, and why?").waitFor()
    await to("Their name")
    await keyboard.type(recipient.name)
    await to("Their e-mail")
    await keyboard.type(recipient.email)
    await to("Organization")
    await keyboard.type(recipient.organization)
    await to("Their title")
    await keyboard.type("Nurse")
    await to("NPI")
    await keyboard.type("1679 576 722")
    await to("Treatment")
    await keyboard.press("ArrowDown")
    await to("In your words")
    await keyboard.type("my disability claim")
    await nameTold(page)
    await keyboard.press("Enter")
    await heading(page, "What does it carry?").waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H1")
    await to("Everything from VA, as it is now")
    await keyboard.press("ArrowDown")
    for (const kind of ["Conditions", "Medications"]) {
      await to(kind)
      await keyboard.press("Space")
    }
    await to("HIV")
    await keyboard.press("Space")
    const letter = page.getByLabel("letter of mine.txt")
    await letter.focus()
    await keyboard.press("Space")
    await page.getByLabel("From", { exact: true }).fill("2024-01-01")
    await to("Go on")
    await keyboard.press("Enter")
    await heading(page, "Until when?").waitFor()
    await to("After 30 days")
    await keyboard.press("ArrowUp")
    await to("Go on")
    await keyboard.press("Enter")
    await heading(page, "Look at it before you sign").waitFor()
    await page.getByText("Not signed yet").first().waitFor()
    await page.getByText(/^\d+ pages$/).waitFor()
    // Screen readers get the text of the pages.
    await page.locator(".pdf .words").getByText(recipient.email).first().waitFor({ state: "attached" })
    await to("Go on")
    await keyboard.press("Enter")
    await heading(page, "Sign the release").waitFor()
    await page.getByText("2 kinds, at most 3 items, 1 document").waitFor()
    await to("Share it as it is, though my record is not complete: medications")
    await keyboard.press("Space")
    await to("I read the five statements, and I accept them.")
    await keyboard.press("Space")
    await to("I sign electronically. It counts like ink.")
    await keyboard.press("Space")
    await to("Type your full name")
    await keyboard.type(`  Sean  O'Hara`)
    await to("Sign")
    await keyboard.press("Enter")
    await atDone(page)
    await page.getByText("Morgan Lee does not have it yet. Make a link to give it to them.").waitFor()
    assert.lengthOf(previews(requests), 1)

    const [document, ...others] = await releasesOf(app, veteran)
    assert.deepStrictEqual(others, [])
    const started = page.waitForEvent("download")
    await button(page, "Save the PDF").click()
    const saved = readFileSync(await (await started).path())
    await page.getByText("Saved. Look in your downloads.").waitFor()
    const { bytes } = await download(service, veteran, `/api/veteran/me/documents/${document.id}/content`)
    assert.isTrue(saved.equals(bytes))
    assert.deepInclude(await verify(document.id, saved), { genuine: true, copy: "veteran", status: "in_force" })
    saved[saved.length - 2_000]! ^= 1
    assert.deepStrictEqual(await verify(document.id, saved), { genuine: false })
    await page.getByRole("link", { name: "Make a link" }).click()
    assert.strictEqual(new URL(page.url()).hash, `#/link/${document.id}`)
    const left = await stored(page)
    const { "vrss-device": device, ...databases } = left.databases
    assert.deepStrictEqual(
      { ...left, cached: [], databases },
      { local: {}, session: {}, databases: {}, cached: [], cookie: "", history: "null" }
    )
    assert.notMatch(JSON.stringify(device), /Morgan|O'Hara|hiv/i)
    assert.notMatch(left.cached.join(" "), /preview|content|roi/)

    // What a release's pages say of its authorization is tested with ReleaseDocument.ts.
    const authorization = JSON.parse((await attachedAs(bytes, "authorization.json")).toString())
    assert.deepStrictEqual(authorization.sensitiveCategories.map(({ category }: any) => category), ["hiv"])
    assert.deepStrictEqual(authorization.veteran, { fullName: signerName, dateOfBirth: "1962-03-04" })
    assert.deepStrictEqual(authorization.recipient, { ...recipient, title: "Nurse", npi: "1679576722" })
    assert.deepStrictEqual(authorization.purpose, { code: "benefits", text: "my disability claim" })
    const { dateFrom, dateTo, resourceTypes } = authorization.information
    assert.deepStrictEqual([resourceTypes, dateFrom, dateTo], [["Condition", "MedicationRequest"], "2024-01-01", null])
    assert.deepInclude(authorization, { incompleteRecordConfirmed: true })
    assert.strictEqual((await attachedAs(bytes, "letter of mine.txt")).toString(), "A letter of mine")
  })

  test("keeps names of every script, tells which ones it cannot take, and is replaced with all but its protected parts", async () => {
    const { look, order, page } = await inspectTab(phone)
    const long = "محمد 👩‍⚕️ Dvořák ".repeat(40).slice(0, 500)
    await upload(service, veteran, "A letter", "a-letter-with-a-name-without-any-space-that-is-very-long-indeed.txt")
    await enterRelease(page, app, veteran)
    await heading(page, "Who gets it, and why?").waitFor()
    assert.include((await order()).join("\n"), "textbox Their name")
    await fillWho(page, { ...recipient, name: "\u200b\u200b", email: "nobody", organization: "x".repeat(10_001) })
    await page.getByLabel("NPI").fill("1234567890")
    await page.getByLabel("Other", { exact: true }).check()
    await next(page)
    const summary = page.getByRole("alert").filter({ hasText: "5 things to mend" })
    await summary.waitFor()
    for (
      const words of [
        "Write the name of the person or office.",
        "Organization: make it shorter.",
        "Write the whole e-mail address, such as name@example.org.",
        "That is not an NPI. Check the 10 digits, or leave it empty.",
        "Say in a few words why."
      ]
    ) await summary.getByText(words).waitFor()
    await look("release who, to mend")
    await summary.getByRole("button", { name: "That is not an NPI" }).click()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("data-place")), "npi")
    await page.getByLabel("NPI").fill("")
    await fillWho(page, { ...recipient, name: long, organization: "" })
    await page.getByLabel("My full name").fill("José 🦅 حسن")
    await next(page)
    await heading(page, "What does it carry?").waitFor()
    await page.getByLabel("HIV").check()
    await page.getByLabel("Choose kinds").check()
    await next(page)
    await page.getByText("1 thing to mend").waitFor()
    await page.getByText("What this cannot do").click()
    await look("release what, to mend")
    await page.getByLabel("Everything from VA, as it is now").check()
    await next(page)
    await page.getByLabel("When something happens").check()
    await next(page)
    await page.getByText("1 thing to mend").waitFor()
    await look("release until, to mend")
    await page.getByLabel("After 30 days").check()
    await next(page)
    await page.getByText(/^\d+ pages$/).waitFor()
    await page.locator("canvas").first().waitFor()
    await look("release preview")
    await next(page)
    await heading(page, "Sign the release").waitFor()
    await signButton(page).click()
    await page.getByText("3 things to mend").waitFor()
    await button(page, "Draw a signature too (you need not)").click()
    await look("release sign, to mend")
    await button(page, "Draw a signature too (you need not)").click()
    await fillSignature(page)
    await signButton(page).click()
    await page.getByText("1 thing to mend").waitFor()
    await page.getByLabel("I write my name in another way").check()
    await signButton(page).click()
    await atDone(page)
    await page.getByText("another name or date of birth").waitFor()
    await look("release done")
    await page.setViewportSize(phone.viewport)
    assert.isTrue(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    const [{ id }] = await releasesOf(app, veteran)
    const said = await signedOf(id)
    assert.deepStrictEqual(
      [said.recipient.name, said.veteran.fullName, said.signature.typedName, said.signature.nameDiffers],
      [long.trim(), "José 🦅 حسن", signerName, true]
    )

    await page.evaluate((id) => location.assign(`#/release/${id}`), id)
    await page.getByText(/^This ends the release of [A-Z][a-z]{2} \d+, \d{4}\.$/).waitFor()
    assert.strictEqual(await page.getByLabel("Their name").inputValue(), long.trim())
    await page.getByLabel("My full name").fill(signerName)
    await next(page)
    await page.getByText("It shared protected parts: HIV. Turn on again what you want to share.").waitFor()
    await look("release replaced")
    assert.isFalse(await page.getByLabel("HIV").isChecked())
    await next(page)
    await next(page)
    await page.getByText(/^\d+ pages$/).waitFor()
    await next(page)
    await fillSignature(page)
    await draw(page)
    // The drawing stays while the veteran looks at the pages again.
    await button(page, "Look at the preview again").click()
    await heading(page, "Look at it before you sign").waitFor()
    await next(page)
    await page.getByText("There is a drawing.").waitFor()
    await signButton(page).click()
    await atDone(page)
    const [newer, older, ...others] = await releasesOf(app, veteran)
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(
      [newer.release.status, older.release.status, older.release.supersededBy],
      ["in_force", "superseded", newer.id]
    )
    assert.match((await signedOf(newer.id)).signature.drawnPngSha256, /^[0-9a-f]{64}$/)
    await page.getByRole("link", { name: "Open Sharing" }).click()
    await heading(page, "Who has my record now").waitFor()
    await page.evaluate((id) => location.assign(`#/release/${id}`), id)
    await page.getByText("This release has ended. You can sign a new one.").waitFor()
    await look("release over")
  })

  test("asks for its pages again only if something of it or of the record has changed", async () => {
    const { page, requests } = await openTab(browser, phone)
    // It begins with an address that a share found nobody by, which never stands in the app's address.
    await enterRelease(page, app, veteran, "#/share")
    await page.getByLabel("Their e-mail").check()
    await page.getByLabel("E-mail", { exact: true }).fill(recipient.email)
    await button(page, "Find").click()
    await page.getByRole("link", { name: "Or send a link instead" }).click()
    await heading(page, "Who gets it, and why?").waitFor()
    assert.strictEqual(await page.getByLabel("Their e-mail").inputValue(), recipient.email)
    assert.strictEqual(new URL(page.url()).hash, "#/release")
    assert.isEmpty(requests.filter((one) => one.includes("harbor") && !one.includes("provider-directory")))
    await button(page, "Back").click()
    await heading(page, "Who has my record now").waitFor()
    await page.evaluate(() => location.assign("#/release"))
    await heading(page, "Who gets it, and why?").waitFor()
    assert.strictEqual(await page.getByLabel("Their e-mail").inputValue(), "")

    await leadToPreview(page)
    await next(page)
    await heading(page, "Sign the release").waitFor()
    // It may be left again and again while its pages are being opened.
    for (let n = 0; n < 100; n += 4) {
      await button(page, "Look at the preview again").waitFor()
      await page.evaluate(lookFor, n)
    }
    await button(page, "Look at the preview again").click()
    await page.getByText(/^\d+ pages$/).waitFor()
    await button(page, "Back").click()
    await heading(page, "Until when?").waitFor()
    await next(page)
    await page.getByText(/^\d+ pages$/).waitFor()
    assert.lengthOf(previews(requests), 1)
    await button(page, "Back").click()
    await page.getByLabel("After 90 days").check()
    // The browser's own way does not lead to the pages of what was chosen before.
    await page.goBack()
    await page.getByText("What you chose has changed. Look at the new pages before you sign.").waitFor()
    await button(page, "Make the pages").click()
    await heading(page, "Look at it before you sign").waitFor()
    await page.getByText(/^\d+ pages$/).waitFor()
    assert.lengthOf(previews(requests), 2)

    // It is not signed if the record changed after the veteran looked: the new pages come first.
    await next(page)
    await fillSignature(page)
    await sync(service, veteran, { Immunization: "empty" })
    await signButton(page).click()
    await heading(page, "Look at it before you sign").waitFor()
    await page.getByText("Your record changed after you looked. Look at the new pages before you sign.").waitFor()
    await page.getByText(/^\d+ pages$/).waitFor()
    assert.lengthOf(previews(requests), 3)
    assert.lengthOf(await releasesOf(app, veteran), 0)
    await next(page)
    await signButton(page).click()
    await atDone(page)
  })
})
