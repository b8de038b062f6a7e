import { randomBytes } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { createLink, expire, type Link, revokeLink, view } from "../http/link/Links.ts"
import { sign } from "../http/release/Releases.ts"
import { signInVeteran } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import {
  addressOf,
  answerOnce,
  askForCode,
  codeField,
  enter,
  frameOf,
  heading,
  open,
  openRefusedTab,
  read
} from "./link/Recipients.ts"
import { once } from "./pages/Refusals.ts"
import { button, openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()

const superuser = await database.connect("superuser")

const browser = await openBrowser()

const veteran = await signInVeteran(service)

const documentId = (await sign(service, veteran)).json.document.id

let link: Link

beforeEach(async () => {
  link = await createLink(service, veteran, { documentId })
})

const expireLink = () => expire(superuser, "secure_links.expires_at", link.id)

const revoke = () => revokeLink(service, veteran, link)

const ends: ReadonlyArray<readonly [what: string, end: () => Promise<unknown>, before: string, whileOpen: string]> = [
  ["turned off", revoke, "This link was turned off", "The veteran turned this link off"],
  ["over", expireLink, "This link has ended", "This link has ended"]
]

describe.each(ends)("A link that is %s", (_, end, before, whileOpen) => {
  test("The page says so when the link is opened", async () => {
    await end()
    const { page } = await openRefusedTab(browser)
    await page.goto(addressOf(portal, link))
    await heading(page, before)
    assert.strictEqual(await page.getByRole("button").count(), 0)
  })

  test("The page says so when a code is requested", async () => {
    const { page } = await openRefusedTab(browser)
    await open(page, portal, link)
    await end()
    await button(page, "E-mail me a code").click()
    await heading(page, before)
  })

  test("The page says so when the code is entered", async () => {
    const { page } = await openRefusedTab(browser)
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await end()
    await enter(page, code)
    await heading(page, before)
  })

  test("The page says so when the document is fetched", async () => {
    const { page } = await openRefusedTab(browser)
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await page.route("**/api/secure-links/view", async (route) => {
      await end()
      await route.continue()
    })
    await enter(page, code)
    await heading(page, before)
  })

  test("The document leaves the screen when the page becomes visible again", async () => {
    const { page } = await openRefusedTab(browser)
    await read(page, portal, service, link)
    await end()
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await heading(page, whileOpen)
    assert.strictEqual(await page.getByRole("button", { name: /^Save/ }).count(), 0)
  })

  test("The document leaves the screen within 30 seconds even if nobody does anything", async () => {
    const { page } = await openRefusedTab(browser)
    await page.clock.install()
    await read(page, portal, service, link)
    await end()
    await page.clock.runFor(20_000)
    await heading(page, whileOpen)
    assert.notInclude(await page.locator("main").innerText(), "Save")
  })
})

describe("A link", () => {
  test("The page says that it cannot find an unknown link", async () => {
    const { page } = await openRefusedTab(browser)
    await page.goto(addressOf(portal, { token: randomBytes(32).toString("base64url") }))
    await heading(page, "We can't find this link")
  })
})

describe("A view session", () => {
  const whileItComes = async (act: (viewSession: string) => Promise<unknown>) => {
    const { page } = await openRefusedTab(browser)
    await open(page, portal, link)
    const code = await askForCode(page, service)
    await page.route("**/api/secure-links/view", async (route) => {
      await act(route.request().postDataJSON().viewSession)
      await route.continue()
    })
    await enter(page, code)
    return page
  }

  test("For a view session that is too old, the page says that time ran out, and offers a new code", async () => {
    const page = await whileItComes(() =>
      superuser.query(
        "update secure_link_view_sessions set created_at = created_at - interval '5 minutes' where link_id = $1",
        [link.id]
      )
    )
    await heading(page, "Time ran out")
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
  })

  test("For a used view session, the page says that the document was already opened, and offers a code", async () => {
    const page = await whileItComes((session) => view(service, session))
    await heading(page, "This document was already opened")
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
  })
})

describe("A page that cannot reach the service", () => {
  test("At each step the page says so, keeps what was typed, and can try again", async () => {
    const { context, page } = await openRefusedTab(browser)
    await page.route("**/api/secure-links/open", once((route) => route.abort()))
    await page.goto(addressOf(portal, link))
    await heading(page, "The service can't be reached")
    await button(page, "Try again").click()
    await heading(page, "A health document for you")

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

    await answerOnce(page, portal, "otp/verify", 503, "service_unavailable")
    await button(page, "Open the document").click()
    await said.getByText("The service can't be reached. Nothing was lost. Try again in a moment.").waitFor()
    assert.strictEqual(await codeField(page).inputValue(), code)
    await button(page, "Open the document").click()
    await heading(page, "Your document is open")

    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: /^Save the PDF/ }).click()
    await download
  })

  test.each([
    ["English", "Open the document", "The service can't be reached. Nothing was lost. Try again in a moment."],
    ["Español", "Abrir el documento",
      "No se puede conectar con el servicio. No se perdió nada. Inténtelo de nuevo en un momento."]
  ])(
    "At the code's step without any answer, the page in %s says so, and the code still works",
    async (language, name, words) => {
      const { page } = await openRefusedTab(browser)
      await open(page, portal, link)
      const code = await askForCode(page, service)
      await page.getByLabel("idioma").selectOption(language)
      await page.getByRole("textbox").fill(code)
      await page.route("**/api/secure-links/otp/verify", once((route) => route.abort()))
      await button(page, name).click()
      await page.getByRole("alert").getByText(words).waitFor()
      assert.strictEqual(await page.getByRole("textbox").inputValue(), code)
      await button(page, name).click()
      await frameOf(page).getByRole("tab").first().waitFor()
    }
  )

  test("After too many requests from one network, the page says how long to wait", async () => {
    const { page } = await openRefusedTab(browser)
    for (const [step, name] of [["open", "Too many tries"], ["view", "Too many tries"]] as const) {
      await answerOnce(page, portal, step, 429, "rate_limited", { retryAfterSeconds: 540 })
      await page.goto("about:blank")
      await page.goto(addressOf(portal, link))
      if (step === "view") await enter(page, await askForCode(page, service))
      await heading(page, name)
      if (step === "open") await page.getByText("Wait 9 minutes, then try again.").waitFor()
    }
    await page.getByRole("button", { name: /^Get a new code/ }).waitFor()
  })

  test("The service limits one network to 30 openings in 15 minutes", async () => {
    const { page } = await openRefusedTab(browser)
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
