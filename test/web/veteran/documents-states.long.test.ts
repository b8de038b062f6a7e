import { assert, beforeEach, test } from "vitest"
import { createLink } from "../../http/link/Links.ts"
import { signed, upload } from "../../http/release/Releases.ts"
import { call } from "../../support/Client.ts"
import { openBrowser } from "../Browser.ts"
import { photo } from "../document/Photos.ts"
import { englishLeft } from "../pages/EnglishLeft.ts"
import { openInspection } from "../pages/Inspection.ts"
import { answerOnce, once, refused } from "../pages/Refusals.ts"
import { button } from "../Portal.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const fill = async () => {
  await upload(service, veteran, "Dear Dr. Gray", "letter.txt")
  await upload(service, veteran, "<h1>Hello</h1>", `${"Averylongnamewithoutspaces".repeat(9)}.html`)
  const { document: older } = await signed(service, veteran)
  const { document: ended } = await signed(service, veteran, { supersedes: older.id })
  await call(service, "POST", `/api/veteran/me/roi/${ended.id}/revoke`, { headers: veteran.headers })
  const { documentId } = await createLink(service, veteran, { recipientName: "Morgan Lee" })
  const other = await createLink(service, veteran, { documentId })
  await call(service, "POST", `/api/veteran/me/secure-links/${other.id}/revoke`, { headers: veteran.headers })
}

const uploads = "**/api/veteran/me/documents"

for (const locale of ["en-US", "es-US"]) {
  const isSpanish = locale === "es-US"
  const say = (english: string, spanish: string) => isSpanish ? spanish : english
  test(`The documents are accessible in each of their states (${locale})`, async () => {
    const { context, expect, look: inspect, lookAtWords, order, page } = await openInspection(browser)
    const look = async (state: string) => {
      if (!isSpanish) return inspect(state)
      assert.deepStrictEqual(await englishLeft(page), [], state)
      await lookAtWords(state)
    }
    expect(refused)
    await enterApp(page, app, veteran, "#/documents")
    await page.getByText("Nothing here yet.").waitFor()
    if (isSpanish) {
      await page.getByRole("combobox").last().selectOption("es")
      await page.getByRole("heading", { level: 1, name: "Mis documentos" }).waitFor()
    }
    await look(`documents ${locale}, none`)
    const choose = page.locator("input[type=file]").first()
    await choose.setInputFiles({ name: "x.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) })
    await page.getByRole("alert").waitFor()
    await look(`documents ${locale}, refused file`)
    await choose.setInputFiles({ name: "IMG_2041.jpg", mimeType: "image/jpeg", buffer: await photo(page, 1_200, 900) })
    await page.getByRole("img").waitFor()
    await look(`documents ${locale}, photo`)
    if (!isSpanish) {
      const stops = await order()
      assert.deepStrictEqual(stops.slice(stops.indexOf("link Account") + 1), [
        "textbox Name",
        "button Save",
        "button Do not save",
        "link Sign a release",
        "combobox Language, idioma"
      ])
    }
    await answerOnce(page, uploads, 409, { error: "conflict", message: "x", requestId: "x" })
    await button(page, say("Save", "Guardar")).click()
    await page.getByRole("alert").waitFor()
    await look(`documents ${locale}, full`)
    const waiting = Promise.withResolvers<void>()
    await page.route(
      uploads,
      once(async (route) => {
        await waiting.promise
        await route.continue()
      })
    )
    await button(page, say("Save", "Guardar")).click()
    await page.getByRole("progressbar").waitFor()
    await look(`documents ${locale}, sending`)
    waiting.resolve()
    await page.getByRole("status").getByText("IMG_2041.jpg").waitFor()
    await fill()
    await page.getByRole("link", { name: say("Home", "Inicio"), exact: true }).click()
    await page.getByRole("link", { name: say("My documents", "Mis documentos") }).click()
    await page.getByRole("heading", { level: 3 }).nth(4).waitFor()
    await page.getByText("Morgan Lee").waitFor()
    await look(`documents ${locale}, list`)
    if (!isSpanish) {
      const stops = await order()
      const from = stops.indexOf("button Delete, letter.txt") + 1
      assert.deepStrictEqual(stops.slice(from, from + 8), [
        "button Show, IMG_2041.jpg",
        "button Save, IMG_2041.jpg",
        "button Delete, IMG_2041.jpg",
        "link Sign a release",
        "link Make a link",
        "link Change",
        "button Show, Release to Dr. Ada Gray",
        "button Save, Release to Dr. Ada Gray"
      ])
    }
    await page.getByRole("button", { name: say("Show, letter.txt", "Mostrar, letter.txt") }).click()
    await page.getByText("Dear Dr. Gray").waitFor()
    await page.getByRole("button", { name: say("Show, IMG_2041.jpg", "Mostrar, IMG_2041.jpg") }).click()
    await page.getByRole("img").waitFor()
    await look(`documents ${locale}, shown`)
    const opener = page.getByRole("button", { name: say("Delete, Release", "Borrar, Autorización") }).first()
    await opener.click()
    await page.getByRole("dialog").waitFor()
    await look(`documents ${locale}, question`)
    await answerOnce(page, "**/api/veteran/me/documents/*", 409, { error: "conflict", message: "x", requestId: "x" })
    await page.getByRole("dialog").getByRole("button", { name: say("Delete", "Borrar") }).click()
    await page.getByRole("alert").waitFor()
    await look(`documents ${locale}, needed`)
    await page.keyboard.press("Escape")
    assert.isTrue(await opener.evaluate((one) => one === document.activeElement))
    await context.setOffline(true)
    await page.getByText(say("You are offline", "No tiene conexión"), { exact: true }).waitFor()
    await look(`documents ${locale}, offline`)
    await context.setOffline(false)
  })
}
