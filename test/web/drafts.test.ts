import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { giveGrant, signInProvider, signInVeteran } from "../support/Client.ts"
import { isWhole } from "../support/Runs.ts"
import { openBrowser } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { atSignIn, enterPortal, fillSignIn, openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

const note = (page: Page) => page.getByLabel("Write a note")

const text = "Asked about the cough; will call on Monday."

/** Opens a tab in which a provider types a note and does not save it. */
const openNote = async () => {
  const [provider, veteran] = await Promise.all([signInProvider(service), signInVeteran(service)])
  await giveGrant(service, veteran, provider)
  const tab = await openInspection(browser, {}, isWhole)
  tab.expect(/401/)
  await enterPortal(tab.page, portal, provider.email)
  await tab.page.getByRole("link", { name: "Eagle" }).click()
  await note(tab.page).fill(text)
  return { ...tab, provider, veteran }
}

const endSession = async (page: Page, providerId: string) => {
  await owner.query("update provider_sessions set revoked_at = now() where provider_id = $1", [providerId])
  await page.getByRole("link", { name: "Patients", exact: true }).click()
  await page.getByRole("button", { name: "Sign in again" }).click()
}

describe("A note that is not saved", () => {
  test("A sign-out deletes the note after a question, and a session that ended keeps it, but only for the same provider", async () => {
    const { look, order, page, provider, veteran } = await openNote()
    // The page asks before a sign-out, which deletes the note.
    const signOut = page.getByRole("navigation").getByRole("button", { name: "Sign out" })
    await signOut.click()
    await page.getByRole("dialog", { name: "Your note is not saved" }).waitFor()
    await look("dialog, note not saved")
    assert.deepStrictEqual(await order(), ["button Go back", "button Sign out"])
    await page.keyboard.press("Escape")
    assert.strictEqual(await note(page).inputValue(), text)
    assert.isTrue(await signOut.evaluate((button) => button === document.activeElement))
    await signOut.click()
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click()
    await atSignIn(page)
    await fillSignIn(page, provider.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), "")

    await note(page).fill(text)
    await endSession(page, provider.id)
    assert.notInclude(await page.content(), text)
    await fillSignIn(page, provider.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), text)
    const other = await signInProvider(service)
    await giveGrant(service, veteran, other)
    await endSession(page, provider.id)
    await fillSignIn(page, other.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), "")
  })
})
