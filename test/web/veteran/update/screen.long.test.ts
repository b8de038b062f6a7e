import type { Page } from "playwright-core"
import { assert, describe, onTestFinished, test } from "vitest"
import { call } from "../../../support/Client.ts"
import { patientTexts } from "../../../support/Collection.ts"
import { resourceTexts } from "../../../support/Sync.ts"
import { until } from "../../../support/Until.ts"
import { button, heading } from "../../Portal.ts"
import { inspectVeteranApp, seen } from "../Inspected.ts"
import { enterVeteranApp, newVeteran, openVeteranApp, signInAtVa } from "../VeteranApp.ts"
import { storedBy } from "./WorkerPage.ts"

const app = await openVeteranApp()

const route = "#/update"

type Fault = "hang" | number

/** The VA answers the searches of a type in this way, until the returned function ends it. */
const spoil = (faults: Readonly<Record<string, Fault>>) => {
  const end = () => app.va.answerBy(undefined)
  app.va.answerBy(({ method, url }, response) => {
    const fault = method === "GET" ? faults[/\/r4\/(\w+)\?/.exec(url!)?.[1] ?? ""] ?? faults["*"] : undefined
    if (fault === undefined || !url!.includes("/r4/")) return false
    if (fault !== "hang") response.writeHead(fault, { "access-control-allow-origin": "*" }).end("{}")
    return true
  })
  onTestFinished(end)
  return end
}

/** What the rows say: the name of each kind and its state. */
const rows = (page: Page): Promise<Record<string, string>> =>
  page.locator(".update-kinds li").evaluateAll((lines) =>
    Object.fromEntries(lines.map((line) => {
      const [name, state] = [line.querySelector(".update-kind")!, line.querySelector(".update-state")!]
      return [name.firstChild!.textContent, [...state.children].map(({ textContent }) => textContent).join(" ")]
    }))
  )

const manifest = async (headers: Record<string, string>) =>
  (await call(app.service, "GET", "/api/veteran/me/health-record/manifest", { headers })).json

/** The sentences that a screen reader was told, in order. */
const spoken = (page: Page) => page.locator(".spoken[role=status] p").allInnerTexts()

const eagle = {
  Allergies: "None on file",
  Conditions: "14 Done",
  Encounters: "None on file",
  Immunizations: "16 Done",
  "Lab results and vital signs": "30 Not complete",
  Medications: "7 Not complete",
  "Notes and documents": "None on file",
  "Personal details": "None on file",
  Procedures: "19 Done",
  "Sources of the data": "None on file",
  "Test reports": "None on file"
}

describe("The screen of an update", () => {
  test("shows how each kind ended, says it once, and keeps nothing of it on the device", async () => {
    const veteran = await newVeteran(app)
    const { look, page } = await inspectVeteranApp(app, veteran, { route })
    await heading(page, "Updated").waitFor()
    await page.getByText("Updated. 9 of 11 kinds are complete.").waitFor()
    assert.deepStrictEqual(await rows(page), eagle)
    await page.getByText("VA did not send all pages. What came is here.").first().waitFor()
    const sentences = await spoken(page)
    assert.lengthOf(sentences, 11)
    assert.includeMembers(sentences, [
      "Conditions: done, 14 items.",
      "Allergies: none on file.",
      "Medications: not complete. VA did not send all pages. What came is here."
    ])
    assert.strictEqual(await page.getByText("VA holds back new notes and results for some hours.").count(), 1)
    const answer = await call(app.service, "GET", "/api/veteran/me/health-record?limit=200", {
      headers: veteran.headers
    })
    assert.deepStrictEqual(
      resourceTexts(answer.text).map(({ text }) => text).toSorted(),
      Object.values(patientTexts(veteran.record)).flat().toSorted()
    )
    assert.deepStrictEqual((await storedBy(page)).session, [])
    // The second update says that nothing is missing now, and has the older lists.
    const end = spoil({ Observation: 503 })
    await button(page, "Try again").click()
    await page.getByText("Updated. 9 of 11 kinds are complete.").waitFor()
    assert.deepInclude(await rows(page), { "Lab results and vital signs": "Could not load", Conditions: "14 Done" })
    await page.getByText("VA did not give us this kind. We keep your older list.", { exact: true }).waitFor()
    end()
    await button(page, "Try again").waitFor()
    await look("update: ended")
    await page.goto(`${app.url}/#/account`)
    await heading(page, "Account").waitFor()
    await page.goto(`${app.url}/${route}`)
    await button(page, "Sign in at VA").waitFor()
    await look("update: before")
  })

  test("stops at once, and goes on with the kinds that are not stored", async () => {
    const veteran = await newVeteran(app)
    const end = spoil({ Immunization: "hang" })
    const { look, page } = await inspectVeteranApp(app, veteran, { route })
    await heading(page, "Updating your record").waitFor()
    await until("the other kinds are loaded", async () => {
      const states = Object.values(await rows(page))
      return states.length === 11 && states.filter((state) => /Sending/.test(state)).length >= 10
    })
    assert.strictEqual((await rows(page))["Immunizations"], "Loading")
    await page.getByText("0 of 11 kinds are done.").waitFor()
    assert.strictEqual(await page.getByRole("progressbar", { name: "0 of 11 kinds are done." }).count(), 1)
    await button(page, "Stop").click()
    await heading(page, "Update stopped").waitFor()
    await page.getByText("0 kinds are new.").waitFor()
    await look("update: stopped")
    assert.deepStrictEqual(await manifest(veteran.headers), {})
    end()
    await button(page, "Go on").click()
    await page.getByText("Updated. 9 of 11 kinds are complete.").waitFor()
    assert.deepStrictEqual(await rows(page), eagle)
  })

  test("says a cause of many kinds once, asks for a sign-in when the VA takes its token no more, and goes on after it", async () => {
    const veteran = await newVeteran(app)
    spoil({ "*": 503 })
    const { page } = await enterVeteranApp(app, veteran, { route })
    await page.getByText("Updated. 0 of 11 kinds are complete.").waitFor()
    assert.strictEqual(await page.locator(".usa-alert", { hasText: "VA did not give us this kind" }).count(), 1)
    assert.strictEqual(await page.locator(".update-kinds", { hasText: "VA did not give us this kind" }).count(), 0)
    await page.getByRole("heading", { name: "11 kinds with one reason" }).waitFor()
    for (const state of Object.values(await rows(page))) assert.strictEqual(state, "Could not load")

    const before = await manifest(veteran.headers)
    const end = spoil({ "*": 401 })
    await button(page, "Try again").click()
    await heading(page, "Sign in at VA again").waitFor()
    assert.deepStrictEqual(await manifest(veteran.headers), before)
    end()
    await button(page, "Go on").click()
    await page.getByRole("link", { name: veteran.name, exact: true }).click()
    await page.getByText("Updated. 9 of 11 kinds are complete.").waitFor()
  })

  test("tells how long the VA asks it to wait, and begins in one window at a time", async () => {
    const veteran = await newVeteran(app)
    const end = spoil({ Immunization: "hang", Condition: 429 })
    const { context, look, page } = await inspectVeteranApp(app, veteran, { route })
    await heading(page, "Updating your record").waitFor()
    // The countdown is not read aloud.
    const notice = page.locator(".usa-alert", { hasText: "VA asks us to wait" })
    await notice.waitFor()
    assert.match(await notice.innerText(), /VA limits how fast we may ask\.\s+We go on in \d+ seconds?\./)
    assert.strictEqual(await notice.locator("xpath=ancestor-or-self::*[@role='status' or @aria-live]").count(), 0)
    await until("the row says it", async () => (await rows(page))["Conditions"] === "Waiting for VA")
    const before = await notice.innerText()
    await until("the countdown goes on", async () => await notice.innerText() !== before)
    await look("update: running")
    const other = await context.newPage()
    await other.goto(`${app.url}/${route}`)
    await signInAtVa(other, veteran)
    await other.getByText("An update runs in another window.").waitFor()
    end()
    await button(page, "Stop").click()
    await heading(page, "Update stopped").waitFor()
    await button(other, "Try again").click()
    await other.getByText("Updated. 9 of 11 kinds are complete.").waitFor()
  })

  test.each([
    ["its screen was left", async (page: Page) => {
      await page.goto(`${app.url}/#/account`)
      await heading(page, "Account").waitFor()
      await page.goto(`${app.url}/${route}`)
      await page.getByText("Your last update did not finish. 8 kinds are new.").waitFor()
      await button(page, "Go on").click()
    }],
    ["its page was loaded again", async (page: Page) => {
      await page.reload()
      await button(page, /Sign in at VA/).click()
    }]
  ])("goes on with the kinds that are not stored, after %s", async (_, leave) => {
    const veteran = await newVeteran(app)
    spoil({ Immunization: "hang" })
    const { page } = await enterVeteranApp(app, veteran, { route })
    await until(
      "the other kinds are loaded",
      async () => Object.values(await rows(page)).filter((state) => /Sending/.test(state)).length >= 10
    )
    // A page that is hidden sends what waits.
    await seen(page, "hidden")
    await seen(page, "visible")
    await until("they are stored", async () => Object.keys(await manifest(veteran.headers)).length === 10)
    await until("the begin is kept", async () => (await storedBy(page)).session.includes("vrss-update-begin"))
    const searched: Array<string> = []
    app.va.answerBy(({ method, url }) => {
      const [, type] = /\/r4\/(\w+)\?/.exec(url!) ?? []
      if (method === "GET" && type !== undefined) searched.push(type)
      return false
    })
    await leave(page)
    await page.getByRole("link", { name: veteran.name, exact: true }).click()
    await page.getByText("Updated. 9 of 11 kinds are complete.").waitFor()
    assert.deepStrictEqual(searched, ["Immunization"])
    assert.deepStrictEqual((await storedBy(page)).session, [])
  })

  test("tells that the service takes no update, and offers to try again", async () => {
    const veteran = await newVeteran(app)
    const { context, expect, page } = await enterVeteranApp(app, veteran, { route: "#/account" })
    expect(/409/)
    const refusal = {
      status: 409,
      headers: { "access-control-allow-origin": app.url, "content-type": "application/json" },
      body: JSON.stringify({ error: "deletion_pending" })
    }
    await context.route("**/health-record/sync", (request) => request.fulfill(refusal))
    await page.goto(`${app.url}/${route}`)
    await heading(page, "Update did not finish").waitFor()
    await page.getByRole("alert").waitFor()
    await context.unroute("**/health-record/sync")
    await button(page, "Try again").click()
    await page.getByText("Updated. 9 of 11 kinds are complete.").waitFor()
  })
})
