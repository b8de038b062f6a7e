import { assert, describe, test } from "vitest"
import { codeFor, codeMails, registerVeteran } from "../http/oauth/Asking.ts"
import { enterCode, namesOf, openAskingApp, refusedForm } from "./pages/ConsentSteps.ts"
import { narrow, openInspection } from "./pages/Inspection.ts"
import { button, heading } from "./Portal.ts"

const { address, arrived, atConsent, browser, grants, scope, service } = await openAskingApp()

const crisisLine = "link Veterans Crisis Line: dial 988, then press 1"

describe("The pages on which a veteran answers an app's request", () => {
  test("Consent works with the keyboard alone, from the app's request until the return to the app", async () => {
    const { email, id } = await registerVeteran(service)
    const { expect, look, order, page } = await openInspection(browser)
    expect(refusedForm)
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
    const { expect, look, page } = await openInspection(browser, { viewport: narrow })
    expect(refusedForm)
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

  test("The pages are in Spanish if the browser asks for it, and a switch at any step loses no tick and decides nothing", async () => {
    const { expect, lookAtWords, page } = await openInspection(browser, { locale: "es-MX" })
    expect(refusedForm)
    const { email, id } = await registerVeteran(service)
    const language = () => page.evaluate(() => document.documentElement.lang)
    await page.goto(address())
    await heading(page, "Heart Diary pide leer sus registros").waitFor()
    assert.strictEqual(await language(), "es-US")
    await lookAtWords("authorize, e-mail, Spanish")
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
    await lookAtWords("authorize, code, Spanish")
    await page.getByLabel("Código de 8 dígitos").fill(await codeFor(service, email))
    await button(page, "Continuar").click()
    await heading(page, "¿Qué puede leer Heart Diary?").waitFor()
    await page.getByText("Línea de Crisis para Veteranos: marque el 988 y luego presione el 1").waitFor()
    const box = (value: string) => page.locator(`input[value='${value}']`)
    await box("AllergyIntolerance").uncheck()
    for (const value of ["sickle_cell", "30"]) await box(value).check()
    await lookAtWords("authorize, consent, Spanish")
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
})
