import { assert, test } from "vitest"
import { call, giveGrant, signInProvider } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openBrowser } from "../Browser.ts"
import { narrow, openInspection } from "../pages/Inspection.ts"
import { inDays } from "../patients/Listing.ts"
import { button, heading } from "../Portal.ts"
import { scanned } from "./Qr.ts"
import { enterApp } from "./Sharers.ts"
import { atDone, fillWho, next, signButton } from "./Signers.ts"
import { newVeteran, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

test("The veteran's screens that README shows are accessible", async () => {
  const veteran = await newVeteran(app, { name: "Zandra", record: "syn-zandra428-ohara248" })
  const sharer = { ...veteran, token: veteran.headers.authorization.slice("Bearer ".length) }
  const { look, page, picture } = await openInspection(await openBrowser(), { viewport: narrow, isMobile: true })
  const take = async (name: string) => {
    await page.setViewportSize(narrow)
    await page.evaluate(() => scrollTo(0, 0))
    await picture(name)
  }
  await enterApp(page, app, sharer, "#/update")
  await page.getByText(/^Updated\./).waitFor()
  const provider = await signInProvider(app.service)
  await giveGrant(app.service, sharer, provider, inDays(30))
  await call(app.service, "GET", `/api/provider/patients/${veteran.id}/record`, { headers: provider.headers })

  await page.getByRole("link", { name: "Home", exact: true }).click()
  await page.getByText(/ looked at /).first().waitFor()
  await look("readme, home", [narrow])
  await take("veteran-home")

  await page.goto(`${app.url}/#/release`)
  await fillWho(page)
  await until("the record has told the name", async () => await page.getByLabel("My full name").inputValue() !== "")
  const name = await page.getByLabel("My full name").inputValue()
  for (const title of ["What does it carry?", "Until when?", "Look at it before you sign"]) {
    await next(page)
    await heading(page, title).waitFor()
  }
  await page.getByText(/^\d+ pages$/).waitFor()
  await page.locator("canvas").first().waitFor()
  await take("veteran-preview")
  await next(page)
  await page.getByLabel("I read the five statements").check()
  await page.getByLabel("I sign electronically").check()
  await page.getByLabel("Type your full name").fill(name)
  await signButton(page).click()
  await atDone(page)

  await page.getByRole("link", { name: "Make a link" }).click()
  await button(page, "Show it at the front desk").click()
  await page.getByRole("dialog").waitFor()
  assert.include(await scanned(page), "/link#")
  await take("veteran-link")
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click()
  await button(page, "Done").click()
  await heading(page, "Who has my record now").waitFor()
  await look("readme, sharing", [narrow])
  await take("veteran-sharing")
})
