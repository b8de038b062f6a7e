import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { readPatientRecord } from "../../http/Sharing.ts"
import { call, giveGrant, signInProvider } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { answerOnce, once } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { inspectTab, loseAnswer } from "./Inspected.ts"
import { tabTo } from "./Keyboard.ts"
import { follow } from "./OwnRecords.ts"
import { enterApp, findByEmail, newSharer, type Sharer, toCheck } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, service } = app

const superuser = await database.connect("superuser")

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const grants = async () =>
  (await call(service, "GET", "/api/veteran/me/consent-grants", { headers: veteran.headers })).json.items

const activeIds = async () =>
  (await call(service, "GET", "/api/veteran/me/sharing", { headers: veteran.headers })).json.items.map(({ id }: any) =>
    id as string
  )

const enter = async (page: Page, route = "#/share") => {
  await enterApp(page, app, veteran, route)
}

/** Leaves the screen, and begins a new share. */
const beginAnew = async (page: Page) => {
  await follow(page, "#/sharing")
  await heading(page, "Who has my record now").waitFor()
  await follow(page, "#/share")
}

const next = (page: Page) => button(page, "Go on").click()

const heading2 = (page: Page, name: string) => page.getByRole("heading", { level: 2, name })

const shareButton = (page: Page) => button(page, "Share with Dr. Ada Gray")

const givePath = "**/api/veteran/me/consent-grants"

describe("A new share", () => {
  test("is made by keyboard alone, with what was chosen in its five steps", async () => {
    const { page } = await openTab(browser, { viewport: { width: 360, height: 740 } })
    const provider = await signInProvider(service)
    await sync(service, veteran, { Condition: "complete", Observation: "complete", Procedure: "complete" }, {
      Condition: [resource("Condition", "c1")]
    })
    await enter(page)
    await heading(page, "Who do you want to share with?").waitFor()
    const { keyboard } = page
    const to = (name: string) => tabTo(page, name)
    await to("The clinic’s code")
    await keyboard.press("ArrowDown")
    await to("E-mail")
    await keyboard.type(provider.email)
    await keyboard.press("Enter")
    await heading2(page, "Dr. Ada Gray").waitFor()
    await keyboard.press("Enter")
    await heading(page, "What may they read?").waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H1")
    await to("Everything from VA (new updates too)")
    await keyboard.press("ArrowDown")
    await to("Conditions")
    await keyboard.press("Space")
    await to("Procedures")
    await keyboard.press("Space")
    await to("My own words")
    await keyboard.press("Space")
    await to("Go on")
    await keyboard.press("Enter")
    await heading(page, "Protected parts").waitFor()
    await to("HIV")
    await keyboard.press("Space")
    await to("Go on")
    await keyboard.press("Enter")
    await heading(page, "Until when?").waitFor()
    await to("30 days")
    await keyboard.press("ArrowUp")
    await to("Treatment")
    await keyboard.press("ArrowDown")
    await to("In your words")
    await keyboard.type("a second opinion")
    await keyboard.press("Enter")
    await heading(page, "Check, then share").waitFor()
    const checks = await page.locator("dl.checks").innerText()
    assert.match(checks, /Can read\s+Change\s+Conditions and procedures|Can read\s+Conditions and procedures\s+Change/)
    assert.match(checks, /My own words\s+Yes\s+My documents\s+No/)
    assert.match(checks, /Shared: HIV\s+Kept back: drug use, alcohol use, sickle cell/)
    assert.match(checks, /\(1 week\)/)
    assert.match(checks, /a second opinion/)
    await to("Share with Dr. Ada Gray")
    const pressed = Date.now()
    await keyboard.press("Enter")
    await heading(page, /^Dr\. Ada Gray can see your record until [A-Z][a-z]{2} \d{1,2}, \d{4}\.$/).waitFor()
    await page.getByText("They find it at their sign-in. Nothing was mailed.").waitFor()
    const [grant, ...others] = await grants()
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(
      [grant.providerId, grant.resourceTypes, grant.sensitiveCategories, grant.includeSelfReported,
        grant.includeDocuments, grant.purpose],
      [provider.id, ["Condition", "Procedure"], ["hiv"], true, false, "a second opinion"]
    )
    assert.approximately(Date.parse(grant.expiresAt), pressed + 7 * 86_400_000, 60_000)
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 200)
  })

  test("finds a provider by a code that came with the address or was typed, or among several with one NPI", async () => {
    const { look, order, page } = await inspectTab()
    const provider = await signInProvider(service)
    const { json } = await call(service, "POST", "/api/provider/invitations", { headers: provider.headers, body: {} })
    // The address is cleaned first.
    await enter(page, `#invite=${json.code}`)
    await page.getByText("Added by Veteran Records. You scanned this clinic’s code.").waitFor()
    assert.strictEqual(new URL(page.url()).hash, "#/share")
    await look("share, who, found")
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "link Account",
      "radio The clinic’s code",
      "textbox Clinic’s code",
      "button Find",
      "button Go on",
      "button Back",
      "combobox Language, idioma"
    ])

    // Nobody is found, or the text is wrong.
    const alert = page.getByRole("alert")
    await page.getByLabel("Clinic’s code", { exact: true }).fill("")
    await button(page, "Find").click()
    await alert.getByText("Type the 10 letters and numbers of the code.").waitFor()
    await look("share, who, wrong")
    await page.getByLabel("Clinic’s code", { exact: true }).fill("ZZZZZ ZZZZZ")
    await next(page)
    await alert.getByText("No one by that code. Ask the clinic for a new one.").waitFor()
    await findByEmail(page, "nobody")
    await alert.getByText("Type the whole e-mail address, such as name@example.org.").waitFor()
    await findByEmail(page, "nobody@clinic.example")
    await alert.getByText("No one by that e-mail. Ask the clinic which one they use.").waitFor()
    await page.getByLabel("Their NPI").check()
    await look("share, who")
    await page.getByLabel("NPI", { exact: true }).fill("1234567890")
    await button(page, "Find").click()
    await alert.getByText("That is not an NPI. Check the 10 digits.").waitFor()

    // A person types a code in another way than it is printed.
    await page.getByLabel("The clinic’s code").check()
    const typed = json.code.toLowerCase().replaceAll("0", "o").replaceAll("1", "i")
    await page.getByLabel("Clinic’s code", { exact: true }).fill(` ${typed.slice(0, 5)} - ${typed.slice(5)} `)
    await button(page, "Find").click()
    await page.getByText("Added by Veteran Records. You typed this clinic’s code.").waitFor()

    const npi = "1679576722"
    await superuser.query("update providers set npi = null where npi = $1", [npi])
    const [first, second] = [await signInProvider(service), await signInProvider(service)]
    await superuser.query("update providers set npi = $1 where id = any($2)", [npi, [first!.id, second!.id]])
    await superuser.query("update providers set display_name = 'Dr. Lee Moss' where id = $1", [second!.id])
    await page.getByLabel("Their NPI").check()
    await page.getByLabel("NPI", { exact: true }).fill("1679 576 722")
    await button(page, "Find").click()
    await page.getByText("Found 2. Choose one.").waitFor()
    await next(page)
    await page.getByRole("alert").getByText("Choose one of them.").waitFor()
    await page.getByLabel("Dr. Lee Moss, Gray Clinic").check()
    await page.getByText("NPI 1679576722").waitFor()
    await next(page)
    await heading(page, "What may they read?").waitFor()
    await next(page)
    await page.getByLabel("HIV").check()
    await look("share, protected parts")
  })

  test("leads to the step that the service did not take, ends on a chosen day, and is made once if answers are lost", async () => {
    const { look, page } = await inspectTab()
    const provider = await signInProvider(service)
    await enter(page)
    await toCheck(page, provider.email)
    await answerOnce(page, givePath, 400, {
      error: "invalid_request",
      message: "The request does not fit the schema: see 'issues'.",
      issues: [{ path: ["expiresAt"], message: "Expected a time in the future" }]
    })
    await shareButton(page).click()
    await heading(page, "Until when?").waitFor()
    await page.getByRole("alert").getByText("This needs another look").waitFor()

    // It ends at the end of the day, at most a year ahead.
    await page.getByLabel("Until a day that I choose").check()
    const day = (ahead: number) => {
      const date = new Date(Date.now() + ahead * 86_400_000)
      return [date.getFullYear(), `${date.getMonth() + 1}`.padStart(2, "0"), `${date.getDate()}`.padStart(2, "0")]
        .join("-")
    }
    for (const wrong of ["", day(-1), day(370)]) {
      await page.getByLabel("Last day").fill(wrong)
      await next(page)
      await page.getByText("Choose a day from today on, at most a year from now.").waitFor()
    }
    await page.getByLabel("Something else").check()
    await next(page)
    await page.getByText("Say in a few words what it is for.").waitFor()
    await look("share, until")
    await page.getByLabel("Treatment").check()
    await page.getByLabel("Last day").fill(day(200))
    await next(page)
    await heading(page, "Check, then share").waitFor()

    // No service heard the first press.
    await page.route(givePath, once((route) => route.abort()))
    await shareButton(page).click()
    await page.getByRole("alert").getByText("We don’t know whether it was shared").waitFor()
    assert.lengthOf(await grants(), 0)
    await shareButton(page).click()
    await heading(page, /can see your record until/).waitFor()
    assert.lengthOf(await grants(), 1)
    const [grant] = await grants()
    assert.strictEqual(new Date(grant.expiresAt).getTime(), new Date(`${day(200)}T23:59:59.999`).getTime())

    // The service hears the next share, and its answer is lost: however often the button is pressed, it is made once.
    await beginAnew(page)
    await toCheck(page, (await signInProvider(service)).email)
    await loseAnswer(page, givePath)
    await shareButton(page).click()
    await page.getByRole("alert").getByText("We don’t know whether it was shared").waitFor()
    await shareButton(page).click()
    await heading(page, /can see your record until/).waitFor()
    assert.lengthOf(await grants(), 2)
  })

  test("names the kinds that are not complete, is made once by a double press, and at most five times", async () => {
    const { look, page } = await inspectTab()
    const provider = await signInProvider(service)
    await sync(service, veteran, { Condition: "complete", MedicationRequest: "partial", Procedure: "partial" }, {
      Condition: [],
      MedicationRequest: [resource("MedicationRequest", "m1")],
      Procedure: [resource("Procedure", "p1")]
    })
    await enter(page)
    await toCheck(page, provider.email)
    await page.getByText("Not complete: medications and procedures. They will be told.").waitFor()
    await page.getByText("What this means").click()
    await look("share, check")
    await button(page, "Change what they can read").click()
    await page.getByLabel("Choose kinds").check()
    await next(page)
    await page.getByRole("alert").getByText("Choose at least one kind, or everything.").waitFor()
    await look("share, what")
    await page.getByLabel("Procedures").check()
    await next(page)
    // The step of a change leads back to the check.
    await heading(page, "Check, then share").waitFor()
    await page.getByText("Not complete: procedures. They will be told.").waitFor()

    await page.route(givePath, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await shareButton(page).dblclick()
    await shareButton(page).click({ force: true })
    await heading(page, /can see your record until/).waitFor()
    assert.lengthOf(await grants(), 1)
    await page.unroute(givePath)
    await look("share, done")

    for (let n = 0; n < 4; n++) await giveGrant(service, veteran, provider)
    await beginAnew(page)
    await toCheck(page, provider.email)
    await shareButton(page).click()
    await page.getByRole("alert").getByText(
      "You can share with 100 at a time, and 5 times with one of them. Stop one of them first."
    ).waitFor()
    await look("share, refused")
    await page.getByRole("link", { name: "Open Sharing" }).click()
    await page.getByText("5 can see it.").waitFor()
  })
})

describe("A change of a share", () => {
  test("has what the share has, takes its place, and is not made once the share has ended", async () => {
    const { page } = await inspectTab()
    const provider = await signInProvider(service)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [] })
    const old = await giveGrant(service, veteran, provider, {
      resourceTypes: ["Condition"],
      sensitiveCategories: ["sickle_cell"],
      includeDocuments: true,
      includeSelfReported: false,
      purpose: "knee surgery"
    })
    await enter(page, "#/sharing")
    await page.getByRole("link", { name: "Change or extend, Dr. Ada Gray" }).click()
    await heading(page, "Check, then share").waitFor()
    const checks = await page.locator("dl.checks").innerText()
    for (const text of ["Conditions", "Shared: sickle cell", "knee surgery"]) assert.include(checks, text)
    assert.strictEqual(await button(page, "Change who").count(), 0)
    await button(page, "Change until when").click()
    await page.getByLabel("90 days").check()
    await next(page)
    await shareButton(page).click()
    await heading(page, /can see your record until/).waitFor()
    const [fresh] = await grants()
    assert.deepStrictEqual(await activeIds(), [fresh.id])
    assert.notStrictEqual(fresh.id, old.id)
    assert.deepStrictEqual(
      [fresh.resourceTypes, fresh.sensitiveCategories, fresh.includeDocuments, fresh.includeSelfReported,
        fresh.purpose],
      [["Condition"], ["sickle_cell"], true, false, "knee surgery"]
    )
    await page.getByRole("link", { name: "See who has my record" }).click()
    await page.getByText("1 can see it.").waitFor()
    await page.getByText("1 that ended").waitFor()

    await follow(page, `#/share/${old.id}`)
    await page.getByText("This share has ended. You can share again.").waitFor()
    await page.getByRole("link", { name: "Share again" }).click()
    await heading(page, "Who do you want to share with?").waitFor()

    await follow(page, `#/share/${fresh.id}`)
    await heading(page, "Check, then share").waitFor()
    await call(service, "POST", `/api/veteran/me/consent-grants/${fresh.id}/revoke`, { headers: veteran.headers })
    await shareButton(page).click()
    await page.getByRole("alert").getByText("This share was not changed").waitFor()
    assert.deepStrictEqual(await activeIds(), [])

    // A new share goes one step back by the browser's own Back, and is gone once its screen is left.
    await beginAnew(page)
    await toCheck(page, provider.email)
    await page.goBack()
    await heading(page, "Until when?").waitFor()
    await page.goBack()
    await heading(page, "Protected parts").waitFor()
    await button(page, "Back").click()
    await button(page, "Back").click()
    await heading2(page, "Dr. Ada Gray").waitFor()
    await button(page, "Back").click()
    await heading(page, "Who has my record now").waitFor()
    await page.getByRole("link", { name: "Share with someone new" }).click()
    await heading(page, "Who do you want to share with?").waitFor()
    assert.strictEqual(await heading2(page, "Dr. Ada Gray").count(), 0)
  })
})
