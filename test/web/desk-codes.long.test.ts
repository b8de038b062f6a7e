import { assert, describe, test } from "vitest"
import { call, signInProvider, signInVeteran } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { answerOnce, refused } from "./pages/Refusals.ts"
import { button, enterPortal, heading, openPortal } from "./Portal.ts"

const { portal, service } = await openPortal()

const browser = await openBrowser()

describe("The desk codes", () => {
  test("A provider makes one of at most ten codes, prints its sheet, and revokes it after a question", async () => {
    const { expect, look, order, page } = await openInspection(browser)
    expect(refused)
    const provider = await signInProvider(service)
    await enterPortal(page, portal, provider.email, "#/desk-codes")
    await heading(page, "Desk codes").waitFor()
    await page.getByText("You have no codes yet.").waitFor()
    await look("desk codes, none")
    assert.include(await order(), "button Make a code")

    // The limit of ten codes is told with what to do.
    const message = "You have 10 codes in use, which is the most. Revoke one that is not needed."
    await answerOnce(page, "**/api/provider/invitations", 409, { error: "conflict", message })
    await button(page, "Make a code").click()
    await page.getByText(/10 codes are in use/).waitFor()
    await look("desk codes, ten")

    await button(page, "Make a code").click()
    await heading(page, "Share your VA health record with us").waitFor()
    await page.getByRole("img", { name: /QR code/ }).waitFor()
    await look("desk codes, made")
    const code = (await page.locator(".desk-code").innerText()).replace(" ", "")
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/)
    const veteran = await signInVeteran(service)
    const found = await call(service, "GET", `/api/veteran/me/provider-directory?invitation=${code}`, {
      headers: veteran.headers
    })
    assert.deepStrictEqual(found.json.items.map(({ id }: any) => id), [provider.id])

    // The sheet has the code, its steps and the provider's name, and nothing of the page around it.
    await page.emulateMedia({ media: "print" })
    const printed = await page.locator("body").innerText()
    assert.include(printed, "Dr. Ada Gray, Gray Clinic")
    assert.include(printed, `${code.slice(0, 5)} ${code.slice(5)}`)
    for (const text of ["Print this sheet", "Sign out", "the only time"]) assert.notInclude(printed, text)
    await page.emulateMedia({ media: null })

    await button(page, "Done").click()
    await heading(page, "Desk codes").waitFor()
    await page.getByText("Used once.").waitFor()
    await look("desk codes, one")
    const opener = button(page, /^Revoke the code of/)
    await opener.click()
    await page.getByRole("dialog", { name: "Revoke this code?" }).waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Keep it")
    await look("desk codes, question")
    await page.keyboard.press("Escape")
    assert.isTrue(await opener.evaluate((element) => element === document.activeElement))
    await opener.click()
    await button(page, "Revoke it").click()
    await page.getByText(/revoked [A-Z][a-z]+ \d+, \d{4}\./).waitFor()
    assert.strictEqual(await opener.count(), 0)
    await look("desk codes, revoked")
  })
})
