import { assert, beforeEach, describe, test } from "vitest"
import { type Link, step } from "../http/link/Links.ts"
import { isWhole } from "../support/Runs.ts"
import { askForCode, codeField, enter, heading, not, open, openLinks, openRefusedTab } from "./link/Recipients.ts"
import { openInspection } from "./pages/Inspection.ts"
import { answerOnce, refused } from "./pages/Refusals.ts"
import { button } from "./Portal.ts"

const { browser, newLink, portal, service, superuser } = await openLinks()

let link: Link

beforeEach(async () => {
  link = await newLink()
})

/** Makes the link's codes look older. */
const ageCodes = (by: string) =>
  superuser.query("update secure_link_otps set created_at = created_at - $2::interval where link_id = $1", [link.id,
    by])

describe("A code", () => {
  test("A code is sent only when it is whole and submitted, and no longer works once it is old", async () => {
    const { expect, lookAtWords, page, requests } = await openInspection(browser, {}, isWhole)
    expect(refused)
    await page.clock.install()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await enter(page, "1234 567")
    await page.getByRole("alert").getByText("The code has 8 digits.").waitFor()
    assert.strictEqual(await codeField(page).inputValue(), "1234 567")
    await codeField(page).fill(code)
    // After 10 minutes the page ends a code without asking the service.
    await page.clock.fastForward("10:00")
    await heading(page, "That code no longer works")
    await button(page, "Get a new code").waitFor()
    await lookAtWords("link, code over")
    assert.deepStrictEqual(requests.filter((request) => request.includes("verify")), [])

    link = await newLink()
    await open(page, portal, link)
    const old = await askForCode(page, service)
    await ageCodes("10 minutes")
    await enter(page, old)
    await heading(page, "That code no longer works")
  })

  test("A code that could not be mailed is asked for again, and after five wrong tries a new one after a wait", async () => {
    const { page } = await openRefusedTab(browser)
    await page.clock.install()
    await open(page, portal, link)
    await answerOnce(page, "**/api/secure-links/otp", 503, { error: "service_unavailable" })
    await button(page, "E-mail me a code").click()
    const alert = page.getByRole("alert")
    await alert.getByText("The service can't be reached").waitFor()
    await alert.getByText("The e-mail could not be sent. Nothing was lost. Try again in a moment.").waitFor()
    const code = await askForCode(page, service)
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
      await enter(page, not(code))
      await page.getByRole("alert").getByText(`That code is not right. You have ${left} left.`).waitFor()
    }
    assert.deepStrictEqual(
      await codeField(page).evaluate((field) => [field.getAttribute("aria-invalid"), document.activeElement === field]),
      ["true", true]
    )
    await enter(page, not(code))
    await heading(page, "That code no longer works")
    await page.getByRole("button", { name: /^Get a new code \(in \d+ seconds\)$/ }).waitFor()
    await ageCodes("31 seconds")
    await page.clock.runFor(31_000)
    await enter(page, await askForCode(page, service, "Get a new code"))
    await heading(page, "Your document is open")
  })

  test("At most five codes are sent in an hour, the last replaces the others, and a wrong one tells the tries left", async () => {
    for (let sent = 0; sent < 5; sent++) {
      await step(service, "otp", { token: link.token })
      await ageCodes("31 seconds")
    }
    const { page } = await openRefusedTab(browser)
    await page.clock.install()
    await open(page, portal, link)
    await button(page, "E-mail me a code").click()
    await page.getByRole("alert").getByText("No more codes can be sent just now. Wait 58 minutes.").waitFor()
    await page.getByRole("button", { name: /\(in 58 minutes\)$/ }).waitFor()

    // After 30 seconds the page offers a new code, and the new code replaces the old one.
    link = await newLink()
    await open(page, portal, link)
    const first = await askForCode(page, service)
    const waiting = page.getByRole("button", { name: /^Send a new code \(in \d+ seconds\)$/ })
    assert.strictEqual(await waiting.getAttribute("aria-disabled"), "true")
    await ageCodes("31 seconds")
    await page.clock.runFor(31_000)
    const second = await askForCode(page, service, "Send a new code")
    await page.getByRole("status").getByText("A new code is on its way. The older one no longer works.").waitFor()
    await enter(page, first)
    await page.getByRole("alert").getByText("That code is not right. You have 4 tries left.").waitFor()
    await enter(page, second)
    await heading(page, "Your document is open")
  })
})
