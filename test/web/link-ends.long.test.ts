import { randomBytes } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { expire, type Link, revokeLink, view } from "../http/link/Links.ts"
import {
  addressOf,
  askForCode,
  codeField,
  enter,
  frameOf,
  heading,
  open,
  openLinks,
  openRefusedTab
} from "./link/Recipients.ts"
import { openInspection } from "./pages/Inspection.ts"
import { answerOnce, once } from "./pages/Refusals.ts"
import { button } from "./Portal.ts"

const { browser, newLink, portal, service, superuser, veteran } = await openLinks()

let link: Link

beforeEach(async () => {
  link = await newLink()
})

const expireLink = () => expire(superuser, "secure_links.expires_at", link.id)

const revoke = () => revokeLink(service, veteran, link)

/** What the Tab key reaches on a page that says why there is nothing to read. */
const controls = ["link Skip to main content", "combobox Language, idioma"]

describe("The recipient's page", () => {
  test("After a reload the page says what to do, a token may end with a full stop, and another link replaces it", async () => {
    const { lookAtWords, order, page, requests } = await openInspection(browser)
    const asked = () => requests.filter((request) => request.includes("/api/"))
    // An incomplete token counts as missing.
    await page.goto(`${portal}/link#${link.token.slice(0, -1)}`)
    await heading(page, "Open the link again")
    assert.deepStrictEqual(asked(), [])
    await page.goto(`${portal}/link#${link.token}.`)
    await heading(page, "A health document for you")
    assert.strictEqual(page.url(), `${portal}/link`)
    await page.reload()
    await heading(page, "Open the link again")
    await lookAtWords("link, loaded again")
    assert.deepStrictEqual(await order(), ["link Skip to main content", "combobox Language, idioma"])
    assert.lengthOf(asked(), 1, "the first opening")

    // Another link in the same tab replaces the first, and opening the same link changes nothing.
    const other = await newLink({ recipientEmail: "someone@other.example" })
    await open(page, portal, link)
    await askForCode(page, service)
    await page.goto(addressOf(portal, link))
    await page.waitForFunction(() => location.hash === "")
    await codeField(page).waitFor()
    await page.goto(addressOf(portal, other))
    await page.getByText("s•••@other.example").waitFor()
    assert.strictEqual(page.url(), `${portal}/link`)
  })

  test("An unsaved document stays until the recipient opens the next link, and is forgotten if the page is left", async () => {
    const { look, order, page } = await openInspection(browser)
    const other = await newLink()
    await open(page, portal, link)
    // A code in fullwidth digits with a dash opens the document.
    const code = await askForCode(page, service)
    const wide = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))).replace(" ", "-")
    await enter(page, wide)
    await heading(page, "Your document is open")
    await frameOf(page).getByRole("heading", { level: 1 }).waitFor()
    await page.goto(addressOf(portal, other))
    const dialog = page.getByRole("dialog", { name: "Open the other link?" })
    await dialog.waitFor()
    await look("dialog, other link")
    assert.deepStrictEqual(await order(), ["button Keep this document", "button Open the other link"])
    await dialog.getByRole("button", { name: "Keep this document" }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.goto(addressOf(portal, other))
    await dialog.getByRole("button", { name: "Open the other link" }).click()
    await heading(page, "A health document for you")

    // A page that was left forgets the document, even if the browser keeps the page.
    await enter(page, await askForCode(page, service))
    await heading(page, "Your document is open")
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })))
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))
    await heading(page, "The document is closed")
    assert.strictEqual(await page.getByRole("button", { name: /^Save/ }).count(), 0)
    await page.getByRole("button", { name: "Get a new code" }).waitFor()
  })

  test("A code is sent only when it is whole and submitted, and no longer works once it is old", async () => {
    const { lookAtWords, page, requests } = await openRefusedTab(browser)
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
    const age = "update secure_link_otps set created_at = created_at - interval '10 minutes' where link_id = $1"
    await superuser.query(age, [link.id])
    await enter(page, old)
    await heading(page, "That code no longer works")
  })
})

const ends: ReadonlyArray<readonly [what: string, end: () => Promise<unknown>, before: string]> = [
  ["turned off", revoke, "This link was turned off"],
  ["over", expireLink, "This link has ended"]
]

describe.each(ends)("A link that is %s", (_, end, before) => {
  test("At each step before the document is open, the page says so", async () => {
    const { lookAtWords, order, page } = await openRefusedTab(browser)
    await end()
    await page.goto(addressOf(portal, link))
    await heading(page, before)
    await lookAtWords(`link, ${before}`)
    assert.deepStrictEqual(await order(), controls)

    // It ends before a code is requested.
    link = await newLink()
    await open(page, portal, link)
    await end()
    await button(page, "E-mail me a code").click()
    await heading(page, before)

    // It ends before the code is entered.
    link = await newLink()
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await end()
    await enter(page, code)
    await heading(page, before)

    // It ends before the document is fetched.
    link = await newLink()
    await open(page, portal, link)
    const later = await askForCode(page, service)
    await page.route("**/api/secure-links/view", async (route) => {
      await end()
      await route.continue()
    })
    await enter(page, later)
    await heading(page, before)
  })
})

describe("A view session", () => {
  test("The page says if a link is unknown, or if a view session is too old or used, and then offers a new code", async () => {
    const { look, lookAtWords, order, page } = await openRefusedTab(browser)
    await page.goto(addressOf(portal, { token: randomBytes(32).toString("base64url") }))
    await heading(page, "We can't find this link")
    await look("link, not found")
    assert.deepStrictEqual(await order(), controls)

    const whileItComes = async (act: (viewSession: string) => Promise<unknown>) => {
      await open(page, portal, link)
      const code = await askForCode(page, service)
      await page.route(
        "**/api/secure-links/view",
        once(async (route) => {
          await act(route.request().postDataJSON().viewSession)
          await route.continue()
        })
      )
      await enter(page, code)
    }
    await whileItComes(() =>
      superuser.query(
        "update secure_link_view_sessions set created_at = created_at - interval '5 minutes' where link_id = $1",
        [link.id]
      )
    )
    await heading(page, "Time ran out")
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
    await lookAtWords("link, time ran out")

    link = await newLink()
    await whileItComes((session) => view(service, session))
    await heading(page, "This document was already opened")
    await look("link, document was already opened")
    const [, , again, ...others] = await order()
    assert.match(again!, /^button Get a new code/)
    assert.deepStrictEqual(others, [])
  })
})

describe("A page that cannot reach the service", () => {
  test("At each step the page says so in both languages, keeps what was typed, and can try again", async () => {
    const { context, lookAtWords, page } = await openRefusedTab(browser)
    await page.route("**/api/secure-links/open", once((route) => route.abort()))
    await page.goto(addressOf(portal, link))
    await heading(page, "The service can't be reached")
    await lookAtWords("link, service away")
    await button(page, "Try again").click()
    await heading(page, "A health document for you")

    // A browser remembers a part that it could not load. The page must not need one more from here on.
    await page.getByLabel("idioma").selectOption("Español")
    await button(page, "Enviarme un código").waitFor()
    await page.getByLabel("idioma").selectOption("English")
    await page.route("**/assets/*.js", (route) => route.abort())
    await page.route("**/api/secure-links/otp", once((route) => route.abort()))
    await button(page, "E-mail me a code").click()
    const said = page.getByRole("alert")
    await said.filter({ hasText: "The service can't be reachedNothing was lost. Try again in a moment." }).waitFor()
    const code = await askForCode(page, service)

    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await codeField(page).fill(code)
    assert.strictEqual(await button(page, "Open the document").getAttribute("aria-disabled"), "true")
    await context.setOffline(false)
    await page.getByText("You are offline", { exact: true }).waitFor({ state: "hidden" })

    await answerOnce(page, "**/api/secure-links/otp/verify", 503, { error: "service_unavailable" })
    await button(page, "Open the document").click()
    await said.getByText("The service can't be reached. Nothing was lost. Try again in a moment.").waitFor()
    assert.strictEqual(await codeField(page).inputValue(), code)
    for (
      const [language, name, words] of [
        [
          "Español",
          "Abrir el documento",
          "No se puede conectar con el servicio. No se perdió nada. Inténtelo de nuevo en un momento."
        ],
        ["English", "Open the document", "The service can't be reached. Nothing was lost. Try again in a moment."]
      ] as const
    ) {
      await page.getByLabel("idioma").selectOption(language)
      await page.route("**/api/secure-links/otp/verify", once((route) => route.abort()))
      await Promise.all([page.waitForEvent("requestfailed"), button(page, name).click()])
      await said.getByText(words).waitFor()
      assert.strictEqual(await page.getByRole("textbox").inputValue(), code)
    }
    await button(page, "Open the document").click()
    await heading(page, "Your document is open")

    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: /^Save the PDF/ }).click()
    await download
  })

  // This test must be the last: after it the service refuses every opening from this IP address.
  test("After too many requests from one network, such as 30 openings, the page says how long to wait", async () => {
    const { look, order, page } = await openRefusedTab(browser)
    for (const step of ["open", "view"] as const) {
      const limited = { error: "rate_limited", retryAfterSeconds: 540 }
      await answerOnce(page, `**/api/secure-links/${step}`, 429, limited)
      await page.goto("about:blank")
      await page.goto(addressOf(portal, link))
      if (step === "view") await enter(page, await askForCode(page, service))
      await heading(page, "Too many tries")
      if (step === "view") continue
      await page.getByText("Wait 9 minutes, then try again.").waitFor()
      await look("link, limited")
      assert.deepStrictEqual(await order(), [...controls, "button Try again"])
    }
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()

    // The service limits one network to 30 openings in 15 minutes.
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
