import type { Page, Response } from "playwright-core"
import { assert, describe, test } from "vitest"
import { codeFor, codeMails, registerVeteran } from "../http/oauth/Asking.ts"
import { signIn } from "../support/Client.ts"
import { resource, sync } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { openTab } from "./Browser.ts"
import { enterCode, namesOf, openAskingApp, refusedForm } from "./pages/ConsentSteps.ts"
import { button, heading } from "./Portal.ts"

const { address, arrived, atConsent, browser, grants, parameters, service, siteUrl } = await openAskingApp()

/** Registers a veteran whose record has types that no group names. Hardly any record has them. */
const registerRare = async () => {
  const veteran = await registerVeteran(service)
  const rare = { Endpoint: [resource("Endpoint", "e")], Substance: [resource("Substance", "s")] }
  await sync(service, await signIn(service, veteran), { Endpoint: "complete", Substance: "complete" }, rare)
  return veteran
}

const boxes = (page: Page, kinds: string) =>
  page.getByRole("group", { name: kinds }).getByRole("checkbox").evaluateAll(namesOf)

describe("The pages on which a veteran answers an app's request", () => {
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
    expect(refusedForm)
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
    }, [`${service.url}/api/oauth/authorize`, Object.entries(parameters)] as const)
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
