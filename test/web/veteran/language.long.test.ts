import { assert, describe, test } from "vitest"
import { operatorCode } from "../../support/Device.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { englishLeft } from "../pages/EnglishLeft.ts"
import { button, heading } from "../Portal.ts"
import { inspectTab } from "./Inspected.ts"
import { newUnpaired, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

describe("The language that was chosen", () => {
  test("goes along over the VA, and the steps before the app is open speak it", async () => {
    const person = await newUnpaired(app)
    const { lookAtWords, page } = await inspectTab()
    const inSpanish = async (state: string) => {
      assert.deepStrictEqual(await englishLeft(page), [])
      await lookAtWords(`spanish ${state}`)
    }
    await page.goto(app.url)
    await page.getByLabel("Language, idioma").selectOption("es")
    await heading(page, "Vea su expediente médico del VA").waitFor()
    await page.getByText("Este teléfono no guarda datos de salud.").waitFor({ state: "attached" })
    await inSpanish("connect")
    await button(page, "Conectar con el VA").click()
    await page.getByRole("link", { name: "Do not connect" }).click()
    await page.getByText("Usted eligió no conectarse. No se guardó nada.").waitFor()
    await button(page, "Conectar con el VA").click()
    await page.getByRole("link", { name: person.name, exact: true }).click()
    await heading(page, "Solo una vez: demuestre que este expediente es suyo").waitFor()
    assert.strictEqual(await page.locator("html").getAttribute("lang"), "es-US")
    await inSpanish("code")
    await page.getByLabel("Código del correo electrónico").fill("1")
    await button(page, "Continuar").click()
    await page.getByText("Escriba los 8 números del correo.").waitFor()
    await button(page, "Tengo un código en papel").click()
    await page.getByLabel("Código en papel").fill("WRONGWRONG12")
    await button(page, "Continuar").click()
    await page.getByText("Ese código no es correcto. Le quedan 4 intentos.").waitFor()
    await page.getByLabel("Código en papel").fill(await operatorCode(app.service, person.id))
    await button(page, "Continuar").click()
    await page.getByRole("heading", { name: "La próxima vez, use su cara o su huella" }).waitFor()
    await page.getByRole("link", { name: "Cuenta" }).click()
    await button(page, "Cerrar sesión").click()
    await heading(page, "Bloqueada").waitFor()
    await inSpanish("locked")
  })

  test("goes along over the VA also before its words are there", async () => {
    const person = await newUnpaired(app)
    const { expect, page } = await openTab(await openBrowser(), { locale: "es-MX" })
    expect(/409/)
    const waiting: Array<() => void> = []
    await page.route(/\/Spanish[^/]*\.js$/, async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      await route.continue()
    })
    await page.goto(app.url)
    await button(page, "Connect to VA").click()
    await page.getByRole("link", { name: person.name, exact: true }).waitFor()
    await page.unroute(/\/Spanish[^/]*\.js$/)
    assert.isAbove(waiting.length, 0)
    await page.getByRole("link", { name: person.name, exact: true }).click()
    await heading(page, "Solo una vez: demuestre que este expediente es suyo").waitFor()
  })
})
