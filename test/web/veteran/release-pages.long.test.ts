import { assert, beforeEach, describe, test } from "vitest"
import { upload } from "../../http/release/Releases.ts"
import { openBrowser } from "../Browser.ts"
import { englishLeft } from "../pages/EnglishLeft.ts"
import { openInspection } from "../pages/Inspection.ts"
import { answerOnce, once, refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { newSharer, type Sharer } from "./Sharers.ts"
import { atDone, enterRelease, fillRecord, fillSignature, fillWho, next, releasesOf, signButton } from "./Signers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
  await fillRecord(app, veteran)
})

const signPath = "**/api/veteran/me/roi"

const previewPath = "**/api/veteran/me/roi/preview"

const longName = "Dr. Wolfeschlegelsteinhausenbergerdorff ".repeat(6).trim()

describe("The steps of a release", { timeout: 300_000 }, () => {
  test("are accessible in each of their states", async () => {
    const { expect, look, order, page } = await openInspection(browser)
    expect(refused)
    await upload(
      app.service,
      veteran,
      "A letter",
      "a-letter-with-a-name-without-any-space-that-is-very-long-indeed.txt"
    )
    await enterRelease(page, app, veteran)
    await heading(page, "Who gets it, and why?").waitFor()
    assert.include((await order()).join("\n"), "textbox Their name")
    await next(page)
    await page.getByText("things to mend").waitFor()
    await look("release who, to mend")
    await fillWho(page, { name: longName, email: `${"a".repeat(60)}@harbor.example`, organization: longName })
    await next(page)
    await page.getByLabel("Choose kinds").check()
    await next(page)
    await page.getByText("1 thing to mend").waitFor()
    await page.getByText("What this cannot do").click()
    await look("release what, to mend")
    await page.getByLabel("Everything from VA, as it is now").check()
    await page.getByLabel("Alcohol use").check()
    await next(page)
    await page.getByLabel("When something happens").check()
    await next(page)
    await page.getByText("1 thing to mend").waitFor()
    await look("release until, to mend")
    await page.getByLabel("After 30 days").check()
    await answerOnce(page, previewPath, 429, { error: "rate_limited", message: "x", retryAfterSeconds: 2 })
    await next(page)
    await page.getByText("Your other release is still being made.").waitFor()
    await look("release preview, refused")
    await button(page, "Make the pages").click()
    await page.getByText(/^\d+ pages$/).waitFor()
    await page.locator("canvas").first().waitFor()
    await look("release preview")
    await next(page)
    await heading(page, "Sign the release").waitFor()
    await signButton(page).click()
    await page.getByText("3 things to mend").waitFor()
    await button(page, "Draw a signature too (you need not)").click()
    await look("release sign, to mend")
    await fillSignature(page)
    await answerOnce(page, signPath, 409, { error: "deletion_pending", message: "x" })
    await signButton(page).click()
    await page.getByText("You asked us to delete your data").waitFor()
    await look("release sign, refused")
    await page.route(signPath, once((route) => route.abort()))
    let asked = 0
    // The app asks for the releases before it signs. Afterward it gets no answer.
    await page.route("**/api/veteran/me/documents*", (route) => asked++ === 0 ? route.continue() : route.abort())
    await signButton(page).click()
    await page.getByText("We don’t know whether it was signed").waitFor()
    await look("release sign, in doubt")
    await page.unroute("**/api/veteran/me/documents*")
    await button(page, "Look now").click()
    await page.getByText("We looked: there is no such release.").waitFor()
    await look("release sign, not signed")
    await signButton(page).click()
    await atDone(page)
    await look("release done")
    const [{ id }] = await releasesOf(app, veteran)
    await page.getByRole("link", { name: "Open Sharing" }).click()
    await heading(page, "Who has my record now").waitFor()
    await page.evaluate((id) => location.assign(`#/release/${id}`), id)
    await page.getByText("This ends the release of").waitFor()
    await next(page)
    await page.getByText("It shared protected parts: alcohol use.").waitFor()
    await look("release replaced")
    await page.evaluate(() => location.assign("#/release/01a216f9-3228-7f6e-a734-a2878776924d"))
    await page.getByText("This release has ended.").waitFor()
    await look("release over")
  })

  test("speak Spanish, and say that what is signed is English", async () => {
    const { lookAtWords, page } = await openInspection(browser, { locale: "es-US" })
    await page.goto(`${app.url}/#/release`)
    await page.locator("main .usa-button").first().click()
    await page.getByRole("link", { name: veteran.name, exact: true }).click()
    const speaksSpanish = async () => assert.deepStrictEqual(await englishLeft(page), [])
    const go = (name: string) => button(page, name).first().click()
    await heading(page, "¿Quién la recibe y por qué?").waitFor()
    await go("Continuar")
    await page.getByText("cosas que corregir").waitFor()
    await speaksSpanish()
    await lookAtWords("spanish release who")
    await page.getByLabel("Su nombre").fill("Morgan Lee")
    await page.getByLabel("Su correo electrónico").fill("morgan@example.org")
    await page.locator("[data-place=purpose]").check()
    await go("Continuar")
    await heading(page, "¿Qué lleva?").waitFor()
    await page.getByLabel("Elegir tipos").check()
    await speaksSpanish()
    await lookAtWords("spanish release what")
    await page.getByLabel("Todo lo del VA, como está ahora").check()
    await go("Continuar")
    await heading(page, "¿Hasta cuándo?").waitFor()
    await speaksSpanish()
    await lookAtWords("spanish release until")
    await go("Continuar")
    await page.getByText(/^\d+ páginas$/).waitFor()
    await page.getByText("Las páginas están en inglés.").waitFor()
    await lookAtWords("spanish release preview")
    await go("Continuar")
    await heading(page, "Firmar la autorización").waitFor()
    assert.strictEqual(await page.locator(".statements [lang=en-US]").count(), 5)
    await speaksSpanish()
    await lookAtWords("spanish release sign")
    await page.locator("[data-place=read]").check()
    await page.locator("[data-place=electronic]").check()
    await page.locator("[data-place=typed]").fill("Sean O'Hara")
    await go("Firmar")
    await heading(page, "La autorización está firmada").waitFor()
    await speaksSpanish()
    await lookAtWords("spanish release done")

    // So does the first step of a share.
    await page.evaluate(() => location.assign("#/share"))
    await heading(page, "¿Con quién quiere compartir?").waitFor()
    await page.getByLabel("Su correo").check()
    await page.getByLabel("Correo electrónico").fill("nadie@example.org")
    await button(page, "Buscar").click()
    await page.getByRole("link", { name: "O envíe un enlace" }).waitFor()
    await speaksSpanish()
    await lookAtWords("spanish share who")
  })
})
