import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, assert, describe, test } from "vitest"
import { codeFor, parametersOf, registerApp, registerVeteran } from "../http/oauth/Asking.ts"
import { openApp } from "../support/App.ts"
import { until } from "../support/Until.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { button, heading } from "./Portal.ts"

const { database, service } = await openApp()
const browser = await openBrowser()
const owner = await database.connect("owner")

/** The requests that arrived at the app's own site. */
const arrived: Array<URL> = []
const site = createServer((request, response) => {
  const url = new URL(request.url!, "http://app.example")
  if (url.pathname !== "/favicon.ico") arrived.push(url)
  response.setHeader("content-type", "text/html").end(
    "<!doctype html><html lang=\"en\"><title>Heart Diary</title><h1>Connected</h1>"
  )
})
site.listen(0, "127.0.0.1")
await once(site, "listening")
afterAll(() => void site.close())
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

const app = await registerApp(owner, { redirectUri: `${siteUrl}/cb`, privacyUrl: `${siteUrl}/privacy` })

const scope = "launch/patient offline_access patient/AllergyIntolerance.rs patient/Condition.rs " +
  "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory"

const address = (changes: Readonly<Record<string, string>> = {}) =>
  `${service.url}/api/oauth/authorize?${new URLSearchParams(parametersOf(app, { scope, state: "s1", ...changes }))}`

const enterCode = async (page: Page, email: string) => {
  await page.getByLabel("E-mail address").first().fill(email)
  await button(page, "Send me a code").click()
  await page.getByLabel("8-digit code").fill(await codeFor(service, email))
}

/** Leads a tab to the consent page. */
const atConsent = async (page: Page) => {
  const { email, id } = await registerVeteran(service)
  await page.goto(address())
  await enterCode(page, email)
  await button(page, "Continue").click()
  await heading(page, "What may Heart Diary read?").waitFor()
  return id
}

const grants = async (veteranId: string) =>
  (await owner.query("select scope, sensitive_categories from consent_grants where veteran_id = $1", [veteranId])).rows

/** The browser logs a refused form as a resource that failed to load. */
const refused = /^Failed to load resource: the server responded with a status of (400|403|429)/

describe("The pages on which a veteran answers an app's request", () => {
  test("Consent works with the keyboard alone, from the app's request until the return to the app", async () => {
    const { email, id } = await registerVeteran(service)
    const { expect, look, order, page } = await openInspection(browser)
    expect(refused)
    const press = async (...keys: ReadonlyArray<string>) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.goto(address())
    await heading(page, "Heart Diary asks to read your records").waitFor()
    await look("authorize, e-mail")
    assert.deepStrictEqual(await order(), [
      "textbox E-mail address",
      "button Send me a code",
      "button Cancel and go back",
      "link Privacy policy of Heart Diary"
    ])
    await page.getByLabel("E-mail address").focus()
    await page.keyboard.type("eagle")
    await press("Enter")
    await page.getByText("Type your e-mail address, such as").waitFor()
    assert.strictEqual(await page.title(), "Error: Heart Diary asks to read your records - Veteran Records")
    // After the load the focus is on the error message, so one Tab leads to its field.
    await page.reload()
    await press("Tab")
    await page.keyboard.type(email)
    await press("Enter")
    await heading(page, "Enter your code").waitFor()
    assert.deepStrictEqual(await order(), [
      "textbox 8-digit code",
      "button Continue",
      "DisclosureTriangle No e-mail? Send a new code",
      "button Cancel and go back"
    ])
    const code = await codeFor(service, email)
    await page.getByLabel("8-digit code").focus()
    await page.keyboard.type(code === "00000000" ? "11111111" : "00000000")
    await press("Enter")
    await page.getByText("You have 4 tries left.").waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("role")), "alert")
    await page.getByText("No e-mail? Send a new code").click()
    await look("authorize, wrong code")
    await page.getByLabel("8-digit code").focus()
    await page.keyboard.type(code)
    await press("Enter")
    await heading(page, "What may Heart Diary read?").waitFor()
    await look("authorize, consent")
    assert.deepStrictEqual(await order(), [
      "checkbox Allergies",
      "checkbox Conditions",
      "checkbox Lab results and vital signs Only what is marked laboratory",
      "checkbox Drug abuse",
      "checkbox Alcoholism or alcohol abuse",
      "checkbox Infection with the human immunodeficiency virus (HIV)",
      "checkbox Sickle cell anemia",
      "radio 90 days",
      "button Do not allow",
      "button Allow",
      "link Privacy policy of Heart Diary"
    ])
    await page.getByLabel("Allergies").focus()
    await press("Space", "Tab", "Tab", "Tab", "Tab", "Tab", "Space", "Tab", "Tab", "ArrowUp", "Tab", "Tab", "Enter")
    await heading(page, "Connected").waitFor()
    const { searchParams } = arrived.at(-1)!
    assert.deepStrictEqual([...searchParams.keys()], ["code", "state", "iss"])
    assert.strictEqual(searchParams.get("state"), "s1")
    assert.deepStrictEqual(await grants(id), [{
      scope: scope.replace(" patient/AllergyIntolerance.rs", ""),
      sensitive_categories: ["hiv"]
    }])
  })

  test("The page that asks for all data for an hour, and the error pages, are accessible", async () => {
    const { expect, look, page } = await openInspection(browser)
    expect(refused)
    const { email } = await registerVeteran(service)
    await page.goto(address({ scope: "patient/*.rs" }))
    await enterCode(page, email)
    await button(page, "Continue").click()
    await heading(page, "What may Heart Diary read?").waitFor()
    await look("authorize, consent to everything")
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck()
    await button(page, "Allow").click()
    await page.getByText("Tick at least one kind of information").waitFor()
    await page.goto(address({ client_id: "x" }))
    await heading(page, "We do not know this app").waitFor()
    await look("authorize, unknown app")
  })

  test("Enter in a checkbox does not give consent; only the button does", async () => {
    const { page } = await openTab(browser)
    const id = await atConsent(page)
    await page.getByLabel("Conditions").press("Enter")
    await heading(page, "Connected").waitFor()
    assert.strictEqual(arrived.at(-1)!.searchParams.get("error"), "access_denied")
    assert.deepStrictEqual(await grants(id), [])
  })

  test("A double click, or going back and allowing again, makes no second grant", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    const id = await atConsent(page)
    await button(page, "Allow").dblclick()
    await heading(page, "Connected").waitFor()
    const told = arrived.at(-1)!.searchParams.get("code")
    assert.isNotNull(told)
    assert.lengthOf(await grants(id), 1)
    await page.goBack().catch(() => {})
    // Chromium either shows the old page or asks whether to send the form again. Neither may make a second grant.
    if (await button(page, "Allow").isVisible()) await button(page, "Allow").click()
    else await page.reload().catch(() => {})
    assert.lengthOf(await grants(id), 1)
    assert.isTrue(arrived.every(({ searchParams }) => !searchParams.has("code") || searchParams.get("state") === "s1"))
  })

  test("The pages refuse frames and scripts, and submit forms only to us and the app", async () => {
    const { expect, page, requests } = await openTab(browser)
    expect(/frame-ancestors|form-action|script-src|Refused to|violates the following Content Security Policy/)
    await page.goto(`${siteUrl}/frame`)
    await page.evaluate((url) => {
      const frame = document.createElement("iframe")
      frame.src = url
      document.body.append(frame)
    }, address())
    const framed = await until("the frame has an answer", async () => page.frames()[1])
    await until("it is refused", async () => framed.url().startsWith("chrome-error:"))
    await page.goto(address())
    await page.evaluate(() => {
      const form = document.querySelector("form")!
      form.action = "http://127.0.0.1:9/steal"
      form.submit()
    })
    await page.evaluate(() => {
      const script = document.createElement("script")
      script.textContent = "document.title = 'run'"
      document.body.append(script)
    })
    await page.waitForTimeout(200)
    assert.notStrictEqual(await page.title(), "run")
    assert.isFalse(requests.some((request) => request.includes("/steal")))
    assert.isTrue(requests.every((request) => !request.includes("/api/") || request.includes("/api/oauth/authorize")))
  })
})
