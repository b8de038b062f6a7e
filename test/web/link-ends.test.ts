import { randomBytes } from "node:crypto"
import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { createLink, expire, type Link, revokeLink, step, view } from "../http/link/Links.ts"
import { sign } from "../http/release/Releases.ts"
import { signInVeteran } from "../support/Client.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { addressOf, askForCode, codeField, enter, heading, not, open, read } from "./link/Recipients.ts"
import { openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()

const superuser = await database.connect("superuser")

const browser = await openBrowser()

const veteran = await signInVeteran(service)

const documentId = (await sign(service, veteran)).json.document.id

let link: Link

beforeEach(async () => {
  link = await createLink(service, veteran, { documentId })
})

/** A tab in which a refused request, of which the browser itself speaks, is no surprise. */
const openRefusedTab = async () => {
  const tab = await openTab(browser)
  tab.expect(/status of (4|5)\d\d|ERR_/)
  return tab
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

/** Makes what the link has of `table` look as if it had been written so much earlier. */
const earlier = (table: "secure_link_otps" | "secure_link_view_sessions", by: string) =>
  superuser.query(`update ${table} set created_at = created_at - $2::interval where link_id = $1`, [link.id, by])

const expireLink = () => expire(superuser, "secure_links.expires_at", link.id)

const revoke = () => revokeLink(service, veteran, link)

const ends: ReadonlyArray<readonly [what: string, end: () => Promise<unknown>, before: string, whileOpen: string]> = [
  ["turned off", revoke, "This link was turned off", "The veteran turned this link off"],
  ["over", expireLink, "This link has ended", "This link has ended"]
]

describe.each(ends)("A link that is %s", (_, end, before, whileOpen) => {
  test("says so when it is opened", async () => {
    await end()
    const { page } = await openRefusedTab()
    await page.goto(addressOf(portal, link))
    await heading(page, before)
    assert.strictEqual(await page.getByRole("button").count(), 0)
  })

  test("says so when a code is asked for", async () => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    await end()
    await button(page, "E-mail me a code").click()
    await heading(page, before)
  })

  test("says so when the code is entered", async () => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await end()
    await enter(page, code)
    await heading(page, before)
  })

  test("says so when the document is about to come", async () => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await page.route("**/api/secure-links/view", async (route) => {
      await end()
      await route.continue()
    })
    await enter(page, code)
    await heading(page, before)
  })

  test("takes the document off the screen when the page is looked at again", async () => {
    const { page } = await openRefusedTab()
    await read(page, portal, service, link)
    await end()
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await heading(page, whileOpen)
    assert.strictEqual(await page.getByRole("button", { name: /^Save/ }).count(), 0)
  })

  test("takes the document off the screen within 30 seconds though nobody does anything", async () => {
    const { page } = await openRefusedTab()
    await page.clock.install()
    await read(page, portal, service, link)
    await end()
    await page.clock.runFor(20_000)
    await heading(page, whileOpen)
    assert.notInclude(await page.locator("main").innerText(), "Save")
  })
})

describe("A link", () => {
  test("that nobody made is not found", async () => {
    const { page } = await openRefusedTab()
    await page.goto(addressOf(portal, { token: randomBytes(32).toString("base64url") }))
    await heading(page, "We can't find this link")
  })
})

describe("A code", () => {
  test("that is wrong says how many tries are left, and the right one opens still", async () => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
      await enter(page, not(code))
      await page.getByRole("alert").getByText(`That code is not right. You have ${left} left.`).waitFor()
    }
    assert.deepStrictEqual(
      await codeField(page).evaluate((field) => [field.getAttribute("aria-invalid"), document.activeElement === field]),
      ["true", true]
    )
    await enter(page, code)
    await heading(page, "Your document is open")
  })

  test("that was tried wrong five times no longer works, and a new one does once there may be one", async () => {
    const { page } = await openRefusedTab()
    await page.clock.install()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
      await enter(page, not(code))
      await page.getByText(left).waitFor()
    }
    await enter(page, not(code))
    await heading(page, "That code no longer works")
    await page.getByRole("button", { name: /^Get a new code \(in \d+ seconds\)$/ }).waitFor()
    await earlier("secure_link_otps", "31 seconds")
    await page.clock.runFor(31_000)
    await enter(page, await askForCode(page, service, "Get a new code"))
    await heading(page, "Your document is open")
  })

  test("is sent to the service when it is whole, and not before the recipient says so", async () => {
    const { page, requests } = await openTab(browser)
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await enter(page, "1234 567")
    await page.getByRole("alert").getByText("The code has 8 digits.").waitFor()
    assert.strictEqual(await codeField(page).inputValue(), "1234 567")
    await codeField(page).fill(code)
    assert.deepStrictEqual(requests.filter((request) => request.includes("verify")), [])
  })

  test("is replaced by a new one, which the page offers after 30 seconds", async () => {
    const { page } = await openRefusedTab()
    await page.clock.install()
    await open(page, portal, link)
    const first = await askForCode(page, service)
    const waiting = page.getByRole("button", { name: /^Send a new code \(in \d+ seconds\)$/ })
    assert.strictEqual(await waiting.getAttribute("aria-disabled"), "true")
    await earlier("secure_link_otps", "31 seconds")
    await page.clock.runFor(31_000)
    const second = await askForCode(page, service, "Send a new code")
    await page.getByRole("status").getByText("A new code is on its way. The older one no longer works.").waitFor()
    await enter(page, first)
    await page.getByText("You have 4 tries left.").waitFor()
    await enter(page, second)
    await heading(page, "Your document is open")
  })

  test("that is too old no longer works", async () => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await earlier("secure_link_otps", "10 minutes")
    await enter(page, code)
    await heading(page, "That code no longer works")
  })

  test("ends on the page too after 10 minutes", async () => {
    const { page } = await openTab(browser)
    await page.clock.install()
    await open(page, portal, link)
    await askForCode(page, service)
    await page.clock.fastForward("10:00")
    await heading(page, "That code no longer works")
    await button(page, "Get a new code").waitFor()
  })

  test("is not sent more than five times an hour, and the page says how long to wait", async () => {
    for (let sent = 0; sent < 5; sent++) {
      await step(service, "otp", { token: link.token })
      await earlier("secure_link_otps", "31 seconds")
    }
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    await button(page, "E-mail me a code").click()
    await page.getByRole("alert").getByText("No more codes can be sent just now. Wait 58 minutes.").waitFor()
    await page.getByRole("button", { name: /\(in 58 minutes\)$/ }).waitFor()
  })

  test("that could not be mailed is asked for again", async () => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    await answerOnce(page, "otp", 503, "service_unavailable")
    await button(page, "E-mail me a code").click()
    await page.getByRole("alert").getByText("The e-mail could not be sent. Try again in a moment.").waitFor()
    await askForCode(page, service)
  })
})

/** The next request of the step is answered as an overloaded service would. */
const answerOnce = (page: Page, step: string, status: number, error: string, more: object = {}) =>
  page.route(
    `**/api/secure-links/${step}`,
    (route) =>
      route.fulfill({
        status,
        headers: { "access-control-allow-origin": portal, "content-type": "application/json" },
        body: JSON.stringify({ error, message: "Try later.", requestId: "1", ...more })
      }),
    { times: 1 }
  )

describe("A view session", () => {
  const whileItComes = async (act: (viewSession: string) => Promise<unknown>) => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await page.route("**/api/secure-links/view", async (route) => {
      await act(route.request().postDataJSON().viewSession)
      await route.continue()
    })
    await enter(page, code)
    return page
  }

  test("that is too old says that time ran out, and leads to a new code", async () => {
    const page = await whileItComes(() => earlier("secure_link_view_sessions", "5 minutes"))
    await heading(page, "Time ran out")
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
  })

  test("that was used says that the document was opened, and leads to a new code", async () => {
    const page = await whileItComes((session) => view(service, session))
    await heading(page, "This document was already opened")
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
  })
})

describe("A page that cannot reach the service", () => {
  test("says so at each step, loses nothing, and goes on", async () => {
    const { context, page } = await openRefusedTab()
    await page.route("**/api/secure-links/open", (route) => route.abort(), { times: 1 })
    await page.goto(addressOf(portal, link))
    await heading(page, "The service can't be reached")
    await button(page, "Try again").click()
    await heading(page, "A health document for you")

    await page.route("**/api/secure-links/otp", (route) => route.abort(), { times: 1 })
    await button(page, "E-mail me a code").click()
    await page.getByRole("alert").getByText("Nothing was lost. Try again in a moment.").waitFor()
    const code = await askForCode(page, service)

    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await codeField(page).fill(code)
    assert.strictEqual(await button(page, "Open the document").getAttribute("aria-disabled"), "true")
    await context.setOffline(false)
    await page.getByText("You are offline", { exact: true }).waitFor({ state: "hidden" })

    await answerOnce(page, "otp/verify", 503, "service_unavailable")
    await button(page, "Open the document").click()
    await page.getByRole("alert").getByText("Nothing was lost. Try again in a moment.").waitFor()
    assert.strictEqual(await codeField(page).inputValue(), code)
    await button(page, "Open the document").click()
    await heading(page, "Your document is open")

    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: /^Save the PDF/ }).click()
    await download
  })

  test("says to wait where one network asked too often", async () => {
    const { page } = await openRefusedTab()
    for (const [step, name] of [["open", "Too many tries"], ["view", "Too many tries"]] as const) {
      await answerOnce(page, step, 429, "rate_limited", { retryAfterSeconds: 540 })
      await page.goto("about:blank")
      await page.goto(addressOf(portal, link))
      if (step === "view") await enter(page, await askForCode(page, service))
      await heading(page, name)
      if (step === "open") await page.getByText("Wait 9 minutes, then try again.").waitFor()
    }
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
  })

  test("is told by the service itself to wait after 30 openings in 15 minutes from one network", async () => {
    const { page } = await openRefusedTab()
    await open(page, portal, link)
    const { url } = service
    await page.evaluate(async ({ token, url }) => {
      for (let n = 0; n < 30; n++) {
        const headers = { "content-type": "application/json" }
        await fetch(`${url}/api/secure-links/open`, { method: "POST", headers, body: JSON.stringify({ token }) })
      }
    }, { token: link.token, url })
    await page.goto("about:blank")
    await page.goto(addressOf(portal, link))
    await heading(page, "Too many tries")
    await page.getByText(/Wait 1[0-5] minutes, then try again\./).waitFor()
  })
})
