import { assert, test } from "vitest"
import { call, giveGrant, signInProvider } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { openBrowser } from "../Browser.ts"
import { openHostileTab } from "../hostile/Canary.ts"
import { dealer, hostileResource } from "../hostile/HostileResource.ts"
import { hostileCda, hostileHtml, payloads } from "../hostile/Payloads.ts"
import { button, heading } from "../Portal.ts"
import { follow, wholeOwn, withRecord, write } from "./OwnRecords.ts"
import { openVeteranApp, signInAtVa } from "./VeteranApp.ts"

const app = await openVeteranApp()
const browser = await openBrowser()

const file = (contentType: string, text: string) => ({
  attachment: {
    contentType,
    title: `${contentType} "><img src=x onerror=canary()>`,
    data: Buffer.from(text).toString("base64")
  }
})

/** A note whose files are pages that try to run scripts. */
const note = JSON.stringify({
  resourceType: "DocumentReference",
  id: "files",
  status: "current",
  content: [file("text/html", hostileHtml), file("application/xml", hostileCda), file("text/plain", payloads[0]!)]
})

test("Hostile content does not run in the veteran's record, its lists, any of its items, or own words", {
  timeout: 240_000
}, async () => {
  const next = dealer()
  const texts = Object.fromEntries(
    Object.entries(patientTexts("hl7-example")).map(([type, resources]) => [
      type,
      resources.slice(0, 1).map((text) => JSON.stringify(hostileResource(JSON.parse(text), next)))
    ])
  )
  const veteran = await withRecord(app, { ...texts, DocumentReference: [...texts["DocumentReference"] ?? [], note] })
  const provider = await signInProvider(app.service)
  await giveGrant(app.service, { ...veteran, token: "" }, provider)
  for (const text of payloads) {
    const notes = `/api/provider/patients/${veteran.id}/notes`
    await call(app.service, "POST", notes, { headers: provider.headers, body: { text } })
  }
  await write(app, veteran, ...payloads.map((text) => ({ category: "note", text })))
  await write(app, veteran, ...payloads.map((text) => ({ category: "allergy", text })))

  const { assertQuiet, page } = await openHostileTab(browser, [app.url, app.service.url,
    new URL(app.va.fhirBase).origin])
  await page.goto(`${app.url}/#/record`)
  await signInAtVa(page, veteran)
  await wholeOwn(page)
  for (let more = button(page, "Show older notes"); await more.count() > 0;) await more.click()
  await button(page, `Show all ${payloads.length} of mine`).click()
  await assertQuiet()

  await follow(page, "#/record/all")
  await page.locator(".item-link").first().waitFor()
  const addresses = await page.locator(".item-link").evaluateAll((links) =>
    links.map((link) => link.getAttribute("href")!)
  )
  assert.isAtLeast(addresses.length, 20)
  for (const address of addresses) {
    await follow(page, address)
    await page.getByText("Show the source").waitFor()
    await page.locator("summary").evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()))
    for (const read of await page.getByRole("button", { name: /^Read / }).all()) await read.click()
    await page.waitForTimeout(50)
    await assertQuiet()
  }

  await follow(page, "#/words")
  await heading(page, "My own words").waitFor()
  await page.getByText("javascript:canary()", { exact: true }).first().waitFor()
  await button(page, "Remove: <script>canary()</script>").first().click()
  await page.getByRole("dialog").waitFor()
  await assertQuiet()
})
