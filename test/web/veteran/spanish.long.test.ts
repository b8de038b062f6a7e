import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { openBrowser } from "../Browser.ts"
import { englishLeft } from "../pages/EnglishLeft.ts"
import { type Inspection, narrow, openInspection } from "../pages/Inspection.ts"
import { button, heading } from "../Portal.ts"
import { eagleOne, follow, write } from "./OwnRecords.ts"
import { newVeteran, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()
const browser = await openBrowser()

/** Opens the app for a reader of Spanish, and signs the veteran in. The words of the sign-in may be in any language. */
const open = async ({ name }: { readonly name: string }): Promise<Inspection> => {
  const inspection = await openInspection(browser, { locale: "es-US" })
  const { page } = inspection
  await page.goto(`${app.url}/`)
  await page.locator("main .usa-button").first().click()
  await page.getByRole("link", { name, exact: true }).click()
  await page.getByRole("link", { name: "Cuenta" }).waitFor()
  return inspection
}

/** Shows a screen, and returns what it says in English. */
const show = async (page: Page, route: string, title: string | RegExp) => {
  await follow(page, route)
  await heading(page, title).waitFor()
  await page.getByText(/cargando/i).first().waitFor({ state: "detached" })
  assert.strictEqual(await page.getAttribute("html", "lang"), "es-US")
}

const speaksSpanish = async (page: Page) => assert.deepStrictEqual(await englishLeft(page), [])

describe("The app for a reader of Spanish", { timeout: 400_000 }, () => {
  test("The record, its completeness and the veteran's own words are in Spanish, and VA's words are marked", async () => {
    const veteran = await eagleOne(app)
    await write(
      app,
      veteran,
      { category: "medication", text: "Aspirina por la mañana" },
      { category: "symptom", text: "Me duele la rodilla", occurredOn: "2026-03-04" }
    )
    const { look, page } = await open(veteran)
    await show(page, "#/record", "Mi expediente")
    await page.getByText("2 tipos no están completos").waitFor()
    assert.strictEqual(await page.title(), "Expediente - Veteran Records")
    assert.strictEqual(await page.getByText("Su expediente del VA está en inglés").count(), 1)
    await speaksSpanish(page)
    await look("spanish record", [narrow])
    for (const kind of ["results", "problems", "medications", "documents", "all"]) {
      await show(page, `#/record/${kind}`, /^[A-Z]/)
      await speaksSpanish(page)
    }
    await page.getByLabel("Buscar por nombre").fill("xyz")
    await page.getByText("Nada coincide con esta búsqueda.").waitFor()
    await look("spanish list", [narrow])
    await show(page, "#/record/results", "Resultados")
    await page.locator(".item-link").first().click()
    await page.locator("summary").filter({ hasText: "Mostrar el texto de origen" }).click()
    await page.getByRole("group", { name: "Texto de origen" }).waitFor()
    await speaksSpanish(page)
    await look("spanish item", [narrow])
    await show(page, "#/complete", "Qué tan completo está")
    await speaksSpanish(page)
    await look("spanish completeness", [narrow])
    await show(page, "#/words", "Mis propias palabras")
    await button(page, "Agregar mis propias palabras").click()
    await button(page, "Guardar").click()
    await page.getByText("2 cosas por corregir").waitFor()
    await speaksSpanish(page)
    await look("spanish own words", [narrow])
    await button(page, "Cancelar").click()
    await button(page, /^Quitar: Me duele/).click()
    await page.getByRole("dialog").waitFor()
    await speaksSpanish(page)
  })

  test("An update is in Spanish from its begin to its end", async () => {
    const { look, page } = await open(await newVeteran(app))
    await follow(page, "#/update")
    await page.getByText("Actualizado. 9 de 11 tipos están completos.").waitFor()
    await speaksSpanish(page)
    assert.include(
      await page.locator(".spoken[role=status] p").allInnerTexts(),
      "Problemas de salud: listo, 14 datos."
    )
    await look("spanish update", [narrow])
    // The VA's token was for one update, so the next one leads to the VA first.
    await show(page, "#/record", "Mi expediente")
    await show(page, "#/update", "Actualizar su expediente")
    await speaksSpanish(page)
    await look("spanish update, before", [narrow])
  })

  test.each([
    ["#/home", /./],
    ["#/sharing", /./],
    ["#/share", /./],
    ["#/release", /./],
    ["#/documents", /./],
    ["#/looks", /./],
    ["#/account", /./]
  ])("The screen %s is in Spanish and fits", async (route, title) => {
    const { look, page } = await open(await eagleOne(app))
    await show(page, route, title)
    await speaksSpanish(page)
    await look(`spanish ${route.slice(2)}`, [narrow])
  })

  test("The language changes at the end of each screen, and stays from screen to screen", async () => {
    const { page } = await open(await eagleOne(app))
    await show(page, "#/record", "Mi expediente")
    const languages = page.getByLabel("idioma")
    assert.deepStrictEqual(
      await languages.locator("option").evaluateAll((options) => options.map((option) => option.getAttribute("lang"))),
      ["en", "es"]
    )
    await languages.selectOption("English")
    await heading(page, "My record").waitFor()
    assert.strictEqual(await page.getAttribute("html", "lang"), "en-US")
    await page.getByRole("link", { name: "Who looked" }).click()
    await languages.selectOption("Español")
    await page.getByRole("link", { name: "Quién miró" }).waitFor()
    await page.getByRole("link", { name: "Expediente" }).click()
    await heading(page, "Mi expediente").waitFor()
    assert.strictEqual(await page.getAttribute("html", "lang"), "es-US")
  })
})
