import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page, Response } from "playwright-core"
import { afterAll, assert, describe, test } from "vitest"
import { codeFor, codeMails, parametersOf, registerApp, registerVeteran } from "../http/oauth/Asking.ts"
import { openApp } from "../support/App.ts"
import { signIn } from "../support/Client.ts"
import { isWhole } from "../support/Runs.ts"
import { resource, sync } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { enterCode } from "./pages/ConsentSteps.ts"
import { narrow, openInspection } from "./pages/Inspection.ts"
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

const crisisLine = "link Veterans Crisis Line: dial 988, then press 1"

const scope = "launch/patient offline_access patient/AllergyIntolerance.rs patient/Condition.rs " +
  "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory"

const address = (changes: Readonly<Record<string, string>> = {}) =>
  `${service.url}/api/oauth/authorize?${new URLSearchParams(parametersOf(app, { scope, state: "s1", ...changes }))}`

/** Leads a tab to the consent page. */
const atConsent = async (page: Page, asked = scope, veteran = registerVeteran(service)) => {
  const { email, id } = await veteran
  await page.goto(address({ scope: asked }))
  await enterCode(page, service, email)
  await button(page, "Continue").click()
  await heading(page, "What may Heart Diary read?").waitFor()
  return id
}

/** Registers a veteran whose record has types that no group names. Hardly any record has them. */
const registerRare = async () => {
  const veteran = await registerVeteran(service)
  const rare = { Endpoint: [resource("Endpoint", "e")], Substance: [resource("Substance", "s")] }
  await sync(service, await signIn(service, veteran), { Endpoint: "complete", Substance: "complete" }, rare)
  return veteran
}

const grants = async (veteranId: string) =>
  (await owner.query("select scope, sensitive_categories from consent_grants where veteran_id = $1", [veteranId])).rows

const namesOf = (boxes: ReadonlyArray<unknown>) => boxes.map((box) => Object(box).labels[0].textContent)

const boxes = (page: Page, kinds: string) =>
  page.getByRole("group", { name: kinds }).getByRole("checkbox").evaluateAll(namesOf)

/** The browser reports a refused form as a failed navigation. */
const refused = /^Failed to load resource: the server responded with a status of (400|403|429)/

describe("The pages on which a veteran answers an app's request", () => {
  test("Consent works with the keyboard alone, from the app's request until the return to the app", async () => {
    const { email, id } = await registerVeteran(service)
    const { expect, look, order, page } = await openInspection(browser, {}, isWhole)
    expect(refused)
    const press = async (...keys: ReadonlyArray<string>) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.goto(address())
    await heading(page, "Heart Diary asks to read your records").waitFor()
    await look("authorize, e-mail")
    assert.deepStrictEqual(await order(), [
      "link Español",
      "textbox E-mail address",
      "button Send me a code",
      "button Cancel and go back",
      "link Privacy policy of Heart Diary",
      crisisLine
    ])
    await page.getByLabel("E-mail address").focus()
    await page.keyboard.type("eagle")
    await press("Enter")
    await page.getByText("Type your e-mail address, such as").waitFor()
    assert.strictEqual(await page.title(), "Error: Heart Diary asks to read your records - Veteran Records")
    // The focus is on the error, right before its field.
    assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("role")), "alert")
    await press("Tab")
    await page.keyboard.type(email)
    await press("Enter")
    await heading(page, "Enter your code").waitFor()
    assert.deepStrictEqual(await order(), [
      "link Español",
      "textbox 8-digit code",
      "button Continue",
      "DisclosureTriangle No e-mail? Send a new code",
      "button Cancel and go back",
      crisisLine
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
      "button Español",
      "checkbox Allergies",
      "checkbox Health problems",
      "checkbox Lab results and vital signs Only what is marked laboratory",
      "checkbox Drug abuse",
      "checkbox Alcoholism or alcohol abuse",
      "checkbox Infection with the human immunodeficiency virus (HIV)",
      "checkbox Sickle cell anemia",
      "radio 90 days",
      "button Do not allow",
      "button Allow",
      "link Privacy policy of Heart Diary",
      crisisLine
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

  test("The page that asks for all data has at most 12 boxes and Allow in sight, and with the error pages is accessible", async () => {
    const { expect, look, page } = await openInspection(browser, { viewport: narrow }, isWhole)
    expect(refused)
    const id = await atConsent(page, "patient/*.rs")
    const kinds = page.getByRole("group", { name: "Kinds of information" })
    assert.deepStrictEqual(await kinds.getByRole("checkbox", { checked: true }).evaluateAll(namesOf), [
      "Allergies",
      "Health problems",
      "Medicines and vaccines",
      "Test results and vital signs",
      "Visits, procedures and devices",
      "Documents, notes and care plans",
      "People and places of your care",
      "Your personal details and insurance"
    ])
    assert.isAtMost(await page.getByRole("checkbox").count(), 12)
    const { height, y } = (await button(page, "Allow").boundingBox())!
    assert.isAtMost(y + height, 740)
    await look("authorize, consent to everything")
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck()
    await button(page, "Allow").click()
    await page.getByText("Tick at least one kind of information").waitFor()
    for (const box of await kinds.getByRole("checkbox").all()) await box.check()
    const details = page.getByText("What is in it: Medicines and vaccines")
    await details.click()
    await page.getByText("Medicines handed out by the pharmacy").waitFor()
    await page.getByText("We can't look inside pictures, scans and PDF files, so some may still be shared.").waitFor()
    await page.getByLabel("Medicines and vaccines").uncheck()
    await button(page, "Allow").click()
    await heading(page, "Connected").waitFor()
    const [{ scope }] = await grants(id)
    assert.notMatch(scope, /Medication|Immunization/)
    assert.match(scope, /patient\/Practitioner\.rs/)
    await page.goto(address({ client_id: "x" }))
    await heading(page, "We do not know this app").waitFor()
    await look("authorize, unknown app")
  })

  test("A record with types that no group names gets at most 12 boxes, in words of life in both languages", async () => {
    const { page } = await openTab(browser)
    await atConsent(page, "patient/*.rs", registerRare())
    const assertBoxes = async (kinds: string, others: string, words: ReadonlyArray<string>) => {
      assert.isAtMost(await page.getByRole("checkbox").count(), 12)
      assert.include(await boxes(page, kinds), others)
      // The text of closed details counts, which `innerText` would skip.
      const text = await page.locator("main").evaluate(({ textContent }) => textContent)
      for (const word of ["Practitioners", "Service requests", "Device use statements"]) assert.notInclude(text, word)
      for (const word of words) assert.include(text, word)
    }
    const others = "Documents, notes, care plans and other parts"
    await assertBoxes("Kinds of information", others, ["Endpoints", "Substances", "Orders and referrals"])
    await button(page, "Español").click()
    await heading(page, "¿Qué puede leer Heart Diary?").waitFor()
    await page.getByText("Qué incluye: Medicinas y vacunas").click()
    const otras = "Documentos, notas, planes de atención y otras partes"
    await assertBoxes("Tipos de información", otras, ["Endpoints", "Substances"])
  })

  test("An app that asks only for types that no group names gets a box that says so", async () => {
    const { page } = await openTab(browser)
    await atConsent(page, "patient/Condition.rs patient/Endpoint.rs patient/Substance.rs", registerRare())
    const named = ["Health problems", "Other parts of your records"]
    assert.deepStrictEqual(await boxes(page, "Kinds of information"), named)
  })

  test("Going back and reloading end at each step on a page of ours, and mail no second code", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    const { email, id } = await registerVeteran(service)
    const at = async (name: string, load: () => Promise<Response | null>) => {
      const answer = await load()
      assert.isBelow(answer!.status(), 400, name)
      await heading(page, name).waitFor()
    }
    const reload = () => page.reload()
    const back = () => page.goBack()
    const forward = () => page.goForward()
    const asks = "Heart Diary asks to read your records"
    await page.goto(siteUrl)
    await page.goto(address())
    await at(asks, reload)
    await page.getByLabel("E-mail address").fill("eagle")
    await button(page, "Send me a code").click()
    await page.getByText("Type your e-mail address, such as").waitFor()
    await at(asks, reload)
    assert.isFalse(await page.getByRole("alert").isVisible())
    await enterCode(page, service, email)
    await at("Enter your code", reload)
    await at(asks, back)
    await at("Enter your code", forward)
    const code = await codeFor(service, email)
    await page.getByLabel("8-digit code").fill(code === "00000000" ? "11111111" : "00000000")
    await button(page, "Continue").click()
    await page.getByText("That code is not right, or it no longer works. You have 4 tries left.").waitFor()
    await at("Enter your code", reload)
    assert.isFalse(await page.getByRole("alert").isVisible())
    await page.getByLabel("8-digit code").fill(code)
    await button(page, "Continue").click()
    const asked = "What may Heart Diary read?"
    await heading(page, asked).waitFor()
    await at(asked, reload)
    // The code is used, so the page before is this one too.
    await at(asked, back)
    await at(asked, forward)
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck()
    await page.getByLabel("Sickle cell anemia").check()
    await page.getByLabel("30 days").check()
    await button(page, "Allow").click()
    await page.getByText("Tick at least one kind of information").waitFor()
    assert.deepStrictEqual(
      await page.getByRole("checkbox", { checked: true }).evaluateAll((all) => all.map((box) => Object(box).value)),
      ["sickle_cell"]
    )
    assert.isTrue(await page.getByLabel("30 days").isChecked())
    await at(asked, reload)
    assert.lengthOf(await codeMails(service, email), 1)
    assert.deepStrictEqual(await grants(id), [])
  })

  test("A request that an app sends by a form leads to an address that can be loaded again", async () => {
    const { page } = await openTab(browser)
    await page.goto(siteUrl)
    await page.evaluate(([action, fields]) => {
      const form = document.createElement("form")
      form.method = "post"
      form.action = action
      for (const [name, value] of fields) {
        const input = document.createElement("input")
        form.append(Object.assign(input, { name, value }))
      }
      document.body.append(form)
      form.submit()
    }, [`${service.url}/api/oauth/authorize`, Object.entries(parametersOf(app, { scope, state: "s1" }))] as const)
    await heading(page, "Heart Diary asks to read your records").waitFor()
    assert.include(page.url(), "/api/oauth/authorize/page?step=email&request=")
    await page.getByRole("link", { name: "Español" }).click()
    await heading(page, "Heart Diary pide leer sus registros").waitFor()
    await page.reload()
    await heading(page, "Heart Diary pide leer sus registros").waitFor()
    const { email, id } = await registerVeteran(service)
    await page.getByRole("link", { name: "English" }).click()
    await enterCode(page, service, email)
    await button(page, "Continue").click()
    await heading(page, "What may Heart Diary read?").waitFor()

    // A double click makes no second grant, and going back afterwards shows that the request has ended.
    await button(page, "Allow").dblclick()
    await heading(page, "Connected").waitFor()
    const told = arrived.at(-1)!.searchParams.get("code")
    assert.isNotNull(told)
    assert.lengthOf(await grants(id), 1)
    assert.strictEqual((await page.goBack())?.status(), 200)
    await heading(page, "This request has ended").waitFor()
    assert.lengthOf(await grants(id), 1)
    assert.isTrue(arrived.every(({ searchParams }) => !searchParams.has("code") || searchParams.get("state") === "s1"))
  })

  test("The pages are in Spanish if the browser asks for it, and a switch at any step loses no tick and decides nothing", async () => {
    const { expect, look, page } = await openInspection(browser, { locale: "es-MX" }, isWhole)
    expect(refused)
    const { email, id } = await registerVeteran(service)
    const language = () => page.evaluate(() => document.documentElement.lang)
    await page.goto(address())
    await heading(page, "Heart Diary pide leer sus registros").waitFor()
    assert.strictEqual(await language(), "es-US")
    await look("authorize, e-mail, Spanish")
    await page.getByRole("link", { name: "English" }).click()
    await heading(page, "Heart Diary asks to read your records").waitFor()
    await enterCode(page, service, email)
    // The choice holds for the next page.
    assert.strictEqual(await language(), "en-US")
    await page.getByRole("link", { name: "Español" }).click()
    await heading(page, "Escriba su código").waitFor()
    await page.getByLabel("Código de 8 dígitos").fill("1")
    await button(page, "Continuar").click()
    await page.getByText("Ese código no es correcto o ya no sirve. Le quedan 4 intentos.").waitFor()
    await look("authorize, code, Spanish")
    await page.getByLabel("Código de 8 dígitos").fill(await codeFor(service, email))
    await button(page, "Continuar").click()
    await heading(page, "¿Qué puede leer Heart Diary?").waitFor()
    await page.getByText("Línea de Crisis para Veteranos: marque el 988 y luego presione el 1").waitFor()
    const box = (value: string) => page.locator(`input[value='${value}']`)
    await box("AllergyIntolerance").uncheck()
    for (const value of ["sickle_cell", "30"]) await box(value).check()
    await look("authorize, consent, Spanish")
    const answer = page.waitForResponse((response) => response.url().includes("/page?"))
    await button(page, "English").click()
    await heading(page, "What may Heart Diary read?").waitFor()
    assert.strictEqual((await answer).status(), 200)
    assert.strictEqual(await language(), "en-US")
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    assert.deepStrictEqual(
      await page.getByRole("checkbox", { checked: true }).evaluateAll((all) => all.map((box) => Object(box).value)),
      ["Condition", "Observation", "sickle_cell"]
    )
    assert.isTrue(await page.getByLabel("30 days").isChecked())
    assert.deepStrictEqual(await grants(id), [])
    await button(page, "Español").click()
    await button(page, "Permitir").click()
    await heading(page, "Connected").waitFor()
    assert.deepStrictEqual(await grants(id), [{
      scope: scope.replace(" patient/AllergyIntolerance.rs", ""),
      sensitive_categories: ["sickle_cell"]
    }])
    await page.goto(address({ client_id: "x" }))
    await heading(page, "No conocemos esta aplicación").waitFor()
    assert.lengthOf(await codeMails(service, email), 1)
  })

  test("Enter in a checkbox does not give consent; only the button does", async () => {
    const { page } = await openTab(browser)
    const id = await atConsent(page)
    await page.getByLabel("Health problems").press("Enter")
    await heading(page, "Connected").waitFor()
    assert.strictEqual(arrived.at(-1)!.searchParams.get("error"), "access_denied")
    assert.deepStrictEqual(await grants(id), [])
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
