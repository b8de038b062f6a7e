import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { parametersOf, registerApp, registerVeteran } from "../http/oauth/Asking.ts"
import { openApp } from "../support/App.ts"
import { signIn } from "../support/Client.ts"
import { resource, sync } from "../support/Sync.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { enterCode } from "./pages/ConsentSteps.ts"
import { button, heading } from "./Portal.ts"

const { database, service } = await openApp()
const browser = await openBrowser()
const app = await registerApp(await database.connect("owner"))

/** Types that no group names. Hardly any record has them. */
const rare = { Endpoint: [resource("Endpoint", "e")], Substance: [resource("Substance", "s")] }

/** Leads a tab to the consent page of a veteran whose record has rare types. */
const atConsent = async (page: Page, scope: string) => {
  const veteran = await registerVeteran(service)
  await sync(service, await signIn(service, veteran), { Endpoint: "complete", Substance: "complete" }, rare)
  await page.goto(`${service.url}/api/oauth/authorize?${new URLSearchParams(parametersOf(app, { scope }))}`)
  await enterCode(page, service, veteran.email)
  await button(page, "Continue").click()
  await heading(page, "What may Heart Diary read?").waitFor()
}

/** The text of the page with that of closed details, which `innerText` would skip. */
const textOf = (page: Page) => page.locator("main").evaluate(({ textContent }) => textContent)

const boxes = (page: Page, kinds: string) =>
  page.getByRole("group", { name: kinds }).getByRole("checkbox").evaluateAll((all) =>
    all.map((box) => Object(box).labels[0].textContent)
  )

describe("The boxes of the consent page", () => {
  test("A record with types that no group names gets at most 12 boxes, in words of life in both languages", async () => {
    const { page } = await openTab(browser)
    await atConsent(page, "patient/*.rs")
    assert.isAtMost(await page.getByRole("checkbox").count(), 12)
    assert.include(await boxes(page, "Kinds of information"), "Documents, notes, care plans and other parts")
    const english = await textOf(page)
    for (const word of ["Practitioners", "Service requests", "Device use statements"]) assert.notInclude(english, word)
    for (const word of ["Endpoints", "Substances", "Orders and referrals"]) assert.include(english, word)
    await button(page, "Español").click()
    await heading(page, "¿Qué puede leer Heart Diary?").waitFor()
    assert.isAtMost(await page.getByRole("checkbox").count(), 12)
    assert.include(await boxes(page, "Tipos de información"), "Documentos, notas, planes de atención y otras partes")
    const spanish = await textOf(page)
    for (const word of ["Practitioners", "Service requests", "Device use statements"]) assert.notInclude(spanish, word)
    for (const word of ["Endpoints", "Substances"]) assert.include(spanish, word)
  })

  test("An app that asks only for types that no group names gets a box that says so", async () => {
    const { page } = await openTab(browser)
    await atConsent(page, "patient/Condition.rs patient/Endpoint.rs patient/Substance.rs")
    assert.deepStrictEqual(await boxes(page, "Kinds of information"), ["Health problems",
      "Other parts of your records"])
  })
})
