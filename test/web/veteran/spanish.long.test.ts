import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { createLink, step } from "../../http/link/Links.ts"
import { sign } from "../../http/release/Releases.ts"
import { readPatientRecord } from "../../http/Sharing.ts"
import { giveGrant, signInProvider } from "../../support/Client.ts"
import { openBrowser } from "../Browser.ts"
import { englishLeft } from "../pages/EnglishLeft.ts"
import { type Inspection, openInspection } from "../pages/Inspection.ts"
import { answerOnce } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { eagleOne, follow, write } from "./OwnRecords.ts"
import { newSharer } from "./Sharers.ts"
import { fillRecord } from "./Signers.ts"
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
    const eagle = await eagleOne(app)
    await write(
      app,
      eagle,
      { category: "medication", text: "Aspirina por la mañana" },
      { category: "symptom", text: "Me duele la rodilla", occurredOn: "2026-03-04" }
    )
    const { expect, lookAtWords, page } = await open(eagle)
    await show(page, "#/record", "Mi expediente")
    await page.getByText("2 tipos no están completos").waitFor()
    assert.strictEqual(await page.title(), "Expediente - Veteran Records")
    assert.strictEqual(await page.getByText("Su expediente del VA está en inglés").count(), 1)
    await speaksSpanish(page)
    await lookAtWords("spanish record")
    for (const kind of ["results", "problems", "medications", "documents", "all"]) {
      await show(page, `#/record/${kind}`, /^[A-Z]/)
      await speaksSpanish(page)
    }
    await page.getByLabel("Buscar por nombre").fill("xyz")
    await page.getByText("Nada coincide con esta búsqueda.").waitFor()
    await lookAtWords("spanish list")
    await show(page, "#/record/results", "Resultados")
    await page.locator(".item-link").first().click()
    // The summary moves down once the trend is drawn, and a click would miss it.
    await page.locator(".trend").waitFor()
    await page.locator("summary").filter({ hasText: "Mostrar el texto de origen" }).click()
    await page.getByRole("group", { name: "Texto de origen" }).waitFor()
    await speaksSpanish(page)
    await lookAtWords("spanish item")
    await show(page, "#/complete", "Qué tan completo está")
    await speaksSpanish(page)
    await lookAtWords("spanish completeness")
    await show(page, "#/words", "Mis propias palabras")
    await button(page, "Añadir mis propias palabras").click()
    await button(page, "Guardar").click()
    await page.getByText("2 cosas por corregir").waitFor()
    await speaksSpanish(page)
    await lookAtWords("spanish own words")
    // The service says in English why there is no room. The page says it in its own words.
    expect(/409/)
    await answerOnce(page, "**/self-reported-entries", 409, { error: "conflict", message: "Up to 2 entries are kept." })
    await page.getByLabel("Síntoma").check()
    await page.getByLabel("En mis propias palabras").fill("Me duele el hombro")
    await button(page, "Guardar").click()
    await page.getByText("Aquí no hay lugar para más.").waitFor()
    await speaksSpanish(page)
    await button(page, "Cancelar").click()
    await button(page, /^Quitar: Me duele/).click()
    await page.getByRole("dialog").waitFor()
    await speaksSpanish(page)
  })

  test("An update is in Spanish from its begin to its end", async () => {
    const { lookAtWords, page } = await open(await newVeteran(app))
    await follow(page, "#/update")
    await page.getByText("Actualizado. 9 de 11 tipos están completos.").waitFor()
    await speaksSpanish(page)
    assert.include(
      await page.locator(".spoken[role=status] p").allInnerTexts(),
      "Problemas de salud: listo, 14 datos."
    )
    await lookAtWords("spanish update")
    // The VA's token was for one update, so the next one leads to the VA first.
    await show(page, "#/record", "Mi expediente")
    await show(page, "#/update", "Actualizar su expediente")
    await speaksSpanish(page)
    await lookAtWords("spanish update, before")
  })

  test("The other screens and the steps of a share are in Spanish and fit, and each screen's end changes the language", async () => {
    const veteran = await newSharer(app)
    const provider = await signInProvider(app.service)
    await fillRecord(app, veteran)
    await giveGrant(app.service, veteran, provider, {
      expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
      sensitiveCategories: ["hiv"]
    })
    await readPatientRecord(app.service, provider, veteran)
    const { document } = (await sign(app.service, veteran)).json
    const { token } = await createLink(app.service, veteran, { documentId: document.id, recipientName: "Morgan Lee" })
    await step(app.service, "open", { token })
    const { lookAtWords, page } = await open(veteran)
    const screens = [
      ["home", /^Hola/],
      ["sharing", "Quién tiene mi expediente ahora"],
      ["documents", "Mis documentos"],
      ["looks", "Quién miró"],
      ["account", "Cuenta"],
      [`link/${document.id}`, /./]
    ] as const
    for (const [screen, title] of screens) {
      await show(page, `#/${screen}`, title)
      // Cards that are read from the service come one after another.
      await page.waitForLoadState("networkidle")
      await speaksSpanish(page)
      await lookAtWords(`spanish ${screen.replace(document.id, "")}`)
    }
    await show(page, "#/sharing", "Quién tiene mi expediente ahora")
    await page.locator("main ul > li").getByRole("button", { name: /compartir/ }).first().click()
    await page.getByRole("dialog").waitFor()
    await speaksSpanish(page)
    await page.keyboard.press("Escape")

    await show(page, "#/share", "¿Con quién quiere compartir?")
    await page.getByLabel("Su correo").check()
    await page.getByLabel("Correo electrónico").fill("nadie@example.org")
    await button(page, "Buscar").click()
    await page.getByRole("link", { name: "O envíe un enlace" }).waitFor()
    await speaksSpanish(page)
    await lookAtWords("spanish share")
    await page.getByLabel("Correo electrónico").fill(provider.email)
    await button(page, "Buscar").click()
    await page.getByText(/Gray Clinic/).waitFor()
    for (let step = 0; step < 4; step++) {
      await speaksSpanish(page)
      await button(page, "Continuar").click()
      await page.waitForTimeout(300)
    }
    await speaksSpanish(page)

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

  test("The steps of a release are in Spanish, and say that what is signed is English", async () => {
    const veteran = await newSharer(app)
    await fillRecord(app, veteran)
    const { lookAtWords, page } = await open(veteran)
    const go = (name: string) => button(page, name).first().click()
    await follow(page, "#/release")
    await heading(page, "¿Quién la recibe y por qué?").waitFor()
    await go("Continuar")
    await page.getByText("cosas que corregir").waitFor()
    await speaksSpanish(page)
    await lookAtWords("spanish release who")
    await page.getByLabel("Su nombre").fill("Morgan Lee")
    await page.getByLabel("Su correo electrónico").fill("morgan@example.org")
    await page.locator("[data-place=purpose]").check()
    await go("Continuar")
    await heading(page, "¿Qué lleva?").waitFor()
    await page.getByLabel("Elegir tipos").check()
    await speaksSpanish(page)
    await lookAtWords("spanish release what")
    await page.getByLabel("Todo lo del VA, como está ahora").check()
    await go("Continuar")
    await heading(page, "¿Hasta cuándo?").waitFor()
    await speaksSpanish(page)
    await lookAtWords("spanish release until")
    await go("Continuar")
    await page.getByText(/^\d+ páginas$/).waitFor()
    await page.getByText("Las páginas están en inglés.").waitFor()
    await lookAtWords("spanish release preview")
    await go("Continuar")
    await heading(page, "Firmar la autorización").waitFor()
    assert.strictEqual(await page.locator(".statements [lang=en-US]").count(), 5)
    await speaksSpanish(page)
    await lookAtWords("spanish release sign")
    await page.locator("[data-place=read]").check()
    await page.locator("[data-place=electronic]").check()
    await page.locator("[data-place=typed]").fill("Sean O'Hara")
    await go("Firmar")
    await heading(page, "La autorización está firmada").waitFor()
    await speaksSpanish(page)
    await lookAtWords("spanish release done")
  })
})
