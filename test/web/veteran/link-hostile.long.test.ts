import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { qrCode } from "../../../src/services/platform/QrCode.ts"
import { longestName, shortName } from "../../../web/veteran/link/LinkDraft.ts"
import { listLinks } from "../../http/link/Links.ts"
import { signed } from "../../http/release/Releases.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { openHostileTab } from "../hostile/Canary.ts"
import { payloads } from "../hostile/Payloads.ts"
import { englishLeft } from "../pages/EnglishLeft.ts"
import { cutTexts, sticksOut } from "../pages/Overflow.ts"
import { once } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { scanned } from "./Qr.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const sign = async (name: string) => {
  const recipient = { name, email: "ada.gray@clinic.example" }
  return (await signed(service, veteran, { recipient })).document.id as string
}

const createPath = "**/api/veteran/me/secure-links"

test("A name is cut between two letters, never in one, and a letter that alone is too long is cut all the same", () => {
  assert.strictEqual(shortName("Dr. Ada Gray"), "Dr. Ada Gray")
  const family = "👨‍👩‍👧‍👦"
  for (const name of ["x".repeat(500), family.repeat(500), "é".normalize("NFD").repeat(500), "ح".repeat(500)]) {
    const short = shortName(name)
    assert.isAtMost(short.length, longestName)
    assert.isAbove(short.length, longestName - family.length)
    assert.isTrue(short.isWellFormed() && name.startsWith(short))
  }
  assert.strictEqual(shortName(family.repeat(500)), family.repeat(Math.floor(longestName / family.length)))
  assert.lengthOf(shortName(`z${"\u0301".repeat(500)}`), longestName)
})

describe("The screen of a link", () => {
  test("shows any name of a release as text and in its place, and the link has as much of it as it may", async () => {
    const { assertQuiet, page } = await openHostileTab(browser, [app.url, service.url, app.va.origin])
    await page.setViewportSize({ width: 360, height: 740 })
    const assertInPlace = async (screen: string) =>
      assert.deepStrictEqual([...await page.evaluate(sticksOut), ...await page.evaluate(cutTexts, "body")], [], screen)
    let isFirst = true
    for (const name of ["م".repeat(500), `\u202e${"W".repeat(500)}`, payloads[0]!.replaceAll(/[\n\r\t\0]/g, " ")]) {
      const route = `#/link/${await sign(name)}`
      if (isFirst) await enterApp(page, app, veteran, route)
      else await page.goto(`${app.url}/${route}`)
      isFirst = false
      await page.getByRole("heading", { name: /^For / }).waitFor()
      await assertInPlace("form")
      await assertQuiet()
      await button(page, "Show it at the front desk").click()
      await page.getByRole("dialog").waitFor()
      await assertInPlace("full screen")
      await button(page, "Close").click()
      await page.getByRole("list", { name: "What became of the link" }).waitFor()
      await assertInPlace("made")
      assert.strictEqual((await listLinks(service, veteran))[0].recipientName, shortName(name))
    }
    await page.goto(`${app.url}/#/sharing`)
    await page.getByText("6 can see it.").waitFor()
    await assertInPlace("sharing")
    await assertQuiet()
  })

  test("shows the code of an address of 2,000 characters so that it can be read", async () => {
    const { page } = await openTab(browser, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3 })
    await enterApp(page, app, veteran, `#/link/${await sign("Dr. Ada Gray")}`)
    const url = `https://portal.example/${"x".repeat(1_930)}/link#${"k".repeat(43)}`
    await page.route(
      createPath,
      once(async (route) => {
        const answer = await route.fetch()
        return route.fulfill({ response: answer, json: { ...await answer.json(), url, qrSvg: qrCode(url) } })
      })
    )
    await button(page, "Show it at the front desk").click()
    await page.getByRole("dialog").waitFor()
    assert.strictEqual(await scanned(page), url)
  })

  test("makes two links in two windows, each shown in its own alone", async () => {
    const { context, page } = await openTab(browser)
    const id = await sign("Dr. Ada Gray")
    await enterApp(page, app, veteran, `#/link/${id}`)
    await button(page, "Give it another way").waitFor()
    const other = await context.newPage()
    await other.goto(`${app.url}/#/link/${id}`)
    await button(other, "Give it another way").waitFor()
    const shown = async (of: Page) => {
      await of.bringToFront()
      await button(of, "Show it at the front desk").click()
      await of.getByRole("dialog").waitFor()
      return scanned(of)
    }
    const [first, second] = [await shown(page), await shown(other)]
    assert.isDefined(first)
    assert.isDefined(second)
    assert.notStrictEqual(first, second)
    assert.lengthOf(await listLinks(service, veteran), 2)
  })

  test("speaks Spanish from the form to the list, with nothing left in English", async () => {
    const { page } = await openTab(browser, { locale: "es-US", viewport: { width: 360, height: 740 } })
    await page.goto(`${app.url}/#/link/${await sign("Ana Ruiz")}`)
    await page.locator("main .usa-button").first().click()
    await page.getByRole("link", { name: veteran.name, exact: true }).click()
    await page.getByRole("heading", { name: "Para Ana Ruiz" }).waitFor()
    const assertSpanish = async () => {
      assert.deepStrictEqual(await englishLeft(page), [])
      assert.deepStrictEqual(await page.evaluate(sticksOut), [])
    }
    await assertSpanish()
    await button(page, "Cambiar quién lo recibe").click()
    await page.getByLabel("Su correo electrónico").fill("otra@clinica.example")
    await page.getByRole("checkbox", { name: /^También para aplicaciones/ }).check()
    await button(page, "Mostrarlo en la recepción").click()
    await page.getByRole("dialog").waitFor()
    await assertSpanish()
    await button(page, "Usar la dirección que escribí").click()
    await page.getByRole("dialog", { name: /^Apunte aquí la cámara/ }).waitFor()
    await assertSpanish()
    await page.getByRole("dialog").getByRole("button", { name: "Enviar el código ahora" }).click()
    await page.getByRole("dialog").getByText("El código va en camino.").waitFor()
    await assertSpanish()
    await button(page, "Cerrar").click()
    await page.getByRole("list", { name: "Qué pasó con el enlace" }).waitFor()
    await assertSpanish()
    await button(page, "Listo").click()
    await heading(page, "Quién tiene mi expediente ahora").waitFor()
    await page.getByText("2 pueden verlo.").waitFor()
    await assertSpanish()
    await page.getByRole("button", { name: "Ver la autorización, Ana Ruiz" }).first().click()
    await heading(page, "Autorización para Ana Ruiz").waitFor()
    await page.goBack()
    await button(page, "Dejar de compartir todo").click()
    await page.getByText("Esto detiene 1 enlace, 1 autorización.").waitFor()
    await assertSpanish()
    await page.getByRole("dialog").getByRole("button", { name: "Dejar de compartir todo" }).click()
    await page.getByText("Nadie puede ver su expediente.").first().waitFor()
    await page.getByText("2 que terminaron").click()
    await assertSpanish()
  })
})
