import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { generateKey, parsePrivateKey, publicKeyText, signNote } from "../../../src/services/ledger/SignedNote.ts"
import { drain, proofOf, textOf, writeEvents } from "../../http/ledger/Drained.ts"
import { createLink, step } from "../../http/link/Links.ts"
import { readPatientRecord } from "../../http/Sharing.ts"
import { giveGrant, signInProvider } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { answerOnce, once } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { inspectTab } from "./Inspected.ts"
import { follow } from "./OwnRecords.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, service } = app

const superuser = await database.connect("superuser")

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const enter = async (page: Page, route = "#/looks") => {
  await enterApp(page, app, veteran, route)
  await heading(page, "Who looked").waitFor()
}

/** A provider looks at the record, as a share allows. */
const look = async () => {
  const provider = await signInProvider(service)
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
  const grant = await giveGrant(service, veteran, provider)
  assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 200)
  return { grant, provider }
}

const lines = (page: Page) => page.locator("main section > ul > li")

/** Moves the sign-in before this one, which marks what is new. */
const signedInBefore = (when: Date) =>
  superuser.query(
    "update veteran_sessions set created_at = $2, renewed_at = $2, confirmed_at = $2 where veteran_id = $1",
    [veteran.id, when]
  )

/** Opens the screen in a Spanish browser: its sentences are in Spanish, or the service's own and marked as English. */
const readInSpanish = async () => {
  const { page } = await openTab(browser, { locale: "es-US" })
  await page.route("**/api/veteran/me/disclosures?*", async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace("The link for Morgan Lee was opened; nothing", "The link did this")
    await route.fulfill({ response, body })
  })
  await page.goto(`${app.url}/#/looks`)
  await page.locator("main .usa-button").first().click()
  await page.getByRole("link", { name: veteran.name, exact: true }).click()
  await heading(page, "Quién miró").waitFor()
  const sentences = page.locator("bdi.look")
  await page.getByText("Dr. Ada Gray, Gray Clinic, miró problemas de salud.").waitFor()
  assert.deepStrictEqual(
    await sentences.evaluateAll((all) => all.map((one) => [one.getAttribute("lang"), one.textContent])),
    [
      ["en", "The link did this was shown yet."],
      [null, "Dr. Ada Gray, Gray Clinic, miró problemas de salud."]
    ]
  )
  await page.getByLabel("Mostrar todo lo que pasó").check()
  await page.getByText("Usted creó un enlace para Morgan Lee que lleva a «Autorización para Dr. Ada Gray».").waitFor()
}

describe("The screen of looks", () => {
  test("Each line has its day, its time, its permission and its kinds, and all lines can be shown and saved", async () => {
    const { look: inspect, page } = await inspectTab()
    await enter(page)
    await page.getByText("No one has looked.").waitFor()
    await inspect("looks, nobody")
    assert.strictEqual(await button(page, "Save as a file (CSV)").count(), 0)
    const unused = await giveGrant(service, veteran, await signInProvider(service))
    await follow(page, `#/looks/provider/${unused.id}`)
    await page.getByText(/^No one has looked since [A-Z][a-z]{2} \d{1,2}, \d{4}\.$/).waitFor()

    await look()
    await follow(page, "#/looks")
    await page.getByRole("heading", { level: 2, name: "Today" }).waitFor()
    const line = lines(page).first()
    // Another request brings what is shared, perhaps after the line.
    await line.getByText("Allowed by your share").waitFor()
    assert.match(
      (await line.innerText()).replaceAll(/\s+/g, " "),
      /^\d{1,2}:\d\d [AP]M New Dr\. Ada Gray, Gray Clinic, looked at Conditions\. Allowed by your share until [A-Z][a-z]{2} \d{1,2}, \d{4}$/
    )
    await line.locator("summary").click()
    await line.locator("dl").waitFor()
    assert.strictEqual(await line.locator("dl").innerText(), "Conditions\n1")

    // A file that could not be read whole is not saved.
    await page.route("**/disclosures?*limit=200*", once((route) => route.abort()))
    await button(page, "Save as a file (CSV)").click()
    await page.getByRole("alert").getByText("The service can't be reached").waitFor()
    const [whole] = await Promise.all([page.waitForEvent("download"), button(page, "Try again").click()])
    assert.include(await readFile(await whole.path(), "utf8"), "record_viewed")

    await writeEvents(superuser, veteran.id, 210)
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await page.getByRole("link", { name: "Who looked", exact: true }).click()
    await page.getByText("looked at Conditions.").waitFor()
    const count = await lines(page).count()
    await page.getByLabel("Show everything").check()
    await button(page, "Show more").waitFor()
    assert.isAbove(await lines(page).count(), count)
    await button(page, "Show more").click()
    await page.waitForFunction(() => document.querySelectorAll("main section > ul > li").length === 100)
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Save as a file (CSV)").click()
    ])
    assert.strictEqual(download.suggestedFilename(), "who-looked.csv")
    const rows = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    // The names of the columns, the events that were written, and a sync, a grant and a look before them.
    assert.strictEqual(rows.filter((row) => row.startsWith("id,at,kind")).length, 1)
    assert.isAtLeast(rows.length, 1 + 210 + 3)
    assert.strictEqual(new Set(rows).size, rows.length)
    // Two pages: the newest look is on the first one, and the oldest on the second.
    await page.route("**/disclosures/fhir?limit=200", (route) =>
      route.continue({
        url: route.request().url().replace("limit=200", "limit=150")
      }))
    await look()
    const [fhir] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Save the looks as FHIR").click()
    ])
    assert.strictEqual(fhir.suggestedFilename(), "who-looked.fhir.json")
    const { entry, link, type } = JSON.parse(await readFile(await fhir.path(), "utf8"))
    assert.deepStrictEqual([type, link], ["collection", undefined])
    assert.isAtLeast(entry.length, 2)
    assert.isTrue(entry.every(({ resource }: any) => resource.resourceType === "AuditEvent"))
  })

  test("Lines since the last sign-in stand under a rule, and one sharing alone is shown, and can be stopped there", async () => {
    const { look: inspect, page } = await inspectTab()
    const { grant, provider } = await look()
    const link = await createLink(service, veteran, { recipientName: "Morgan Lee" })
    await step(service, "open", { token: link.token })
    await superuser.query(
      "update proofs set at = at - interval '3 days' where veteran_id = $1 and kind = 'record_viewed'",
      [veteran.id]
    )
    await signedInBefore(new Date(Date.now() - 2 * 86_400_000))
    await enter(page)
    await page.getByText(/^New since [A-Z][a-z]{2} \d{1,2}, \d{4}$/).waitFor()
    await page.getByText("Before that").waitFor()
    const texts = await lines(page).allInnerTexts()
    assert.deepStrictEqual(texts.map((text) => text.includes("New")), [true, false])
    assert.include(texts[0]!, "The link for Morgan Lee was opened; nothing was shown yet.")
    await page.getByLabel("Show everything").check()
    await page.getByText("You signed").first().waitFor()
    await inspect("looks, everything")
    await page.getByLabel("Show everything").uncheck()

    await follow(page, `#/looks/link/${link.id}`)
    await page.getByText("Only Link for Morgan Lee").waitFor()
    // The name and the lines are two answers, and come in any order.
    await page.getByText("The link for Morgan Lee was opened; nothing was shown yet.").waitFor()
    assert.strictEqual(await lines(page).count(), 1)
    await page.getByRole("link", { name: "Show all" }).click()
    await page.getByText("looked at Conditions.").waitFor()
    assert.strictEqual(await lines(page).count(), 2)
    await follow(page, `#/looks/provider/${grant.id}`)
    await page.getByText("Only Dr. Ada Gray").waitFor()
    await lines(page).locator("summary").click()
    await page.getByRole("button", { name: "Stop sharing, Dr. Ada Gray" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByRole("status").getByText("Dr. Ada Gray can no longer see your record.").waitFor()
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 403)
    // The look stays in the list, but its permission has ended.
    await page.getByText("looked at Conditions.").waitFor()
    await page.getByText("Allowed by your share").waitFor({ state: "hidden" })

    await readInSpanish()
  })
})

describe("The proof of a line", () => {
  const good = "This line is in the log that we signed. It was not changed."
  const bad = "This line does not match the log. Save it and tell support."

  const proofPath = "**/api/veteran/me/disclosures/*/proof"

  const keyPath = "**/api/proofs/key"

  /** Opens the line of a look, which is in the log unless `isDrained` is false. */
  const openLine = async (page: Page, isDrained = true) => {
    await look()
    if (isDrained) await drain(service)
    await enter(page)
    const line = lines(page).first()
    await line.locator("summary").click()
    return line
  }

  /** Changes what the service answers. */
  const tamper = (page: Page, path: string, change: (text: string) => string | Promise<string>) =>
    page.route(path, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: await change(await response.text()) })
    })

  const change = (members: (proof: any) => object) => (text: string) => {
    const proof = JSON.parse(text)
    return JSON.stringify({ ...proof, ...members(proof) })
  }

  test("is not there yet in the first minute, holds then, and can be saved for another check", async () => {
    const { page } = await inspectTab()
    const line = await openLine(page, false)
    await answerOnce(page, proofPath, 409, { error: "conflict", message: "x" })
    await button(page, "Check the proof").click()
    await line.getByText("Not in the log yet: in a minute.").waitFor()
    await drain(service)
    await button(page, "Check the proof").click()
    await line.getByRole("status").getByText(good).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Save this line with its proof").click()
    ])
    const saved = JSON.parse(await readFile(await download.path(), "utf8"))
    assert.strictEqual(JSON.parse(saved.leaf).kind, "record_viewed")
    assert.deepStrictEqual(saved, (await proofOf(service, veteran, JSON.parse(saved.leaf).id)).json)
  })

  test("is told in red if the answer was changed, is another event's, or has another key", async () => {
    const { look: inspect, order, page } = await inspectTab()
    await look()
    const line = await openLine(page)
    // What is a mismatch is tested with InclusionCheck.ts.
    await tamper(page, proofPath, change(({ leaf }) => ({ leaf: leaf.replace("record_viewed", "document_read") })))
    await button(page, "Check the proof").click()
    await line.getByRole("alert").getByText(bad).waitFor()
    assert.strictEqual(await line.getByText(good).count(), 0)
    await page.unroute(proofPath)

    // The true proof of another event.
    const { headers } = veteran
    const events = await fetch(`${service.url}/api/veteran/me/disclosures?kind=record_viewed`, { headers })
    const { items } = await events.json() as { readonly items: ReadonlyArray<{ readonly id: string }> }
    const { text } = await proofOf(service, veteran, items[1]!.id)
    await tamper(page, proofPath, () => text)
    await button(page, "Check the proof").click()
    await line.getByRole("alert").getByText(bad).waitFor()
    await page.unroute(proofPath)

    // The log has another key, or changes it within a session.
    await button(page, "Check the proof").click()
    await line.getByText(good).waitFor()
    const key = (await textOf(service, "/api/proofs/key")).trim()
    // The example of golang.org/x/mod/sumdb/note: a true key, but not this log's.
    await tamper(page, keyPath, () => "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n")
    await button(page, "Check the proof").click()
    await line.getByRole("alert").getByText(bad).waitFor()
    await page.unroute(keyPath)
    // A second log with its key is true in itself, but not the log that this session saw first.
    const forger = parsePrivateKey(generateKey("localhost/forged")!)!
    await tamper(page, keyPath, () => publicKeyText(forger))
    await tamper(
      page,
      proofPath,
      change(({ checkpoint }) => {
        const [, size, root] = checkpoint.split("\n")
        return { checkpoint: signNote(forger, `${forger.name}\n${size}\n${root}\n`) }
      })
    )
    await button(page, "Check the proof").click()
    await line.getByText(publicKeyText(forger)).waitFor({ state: "attached" })
    await line.getByRole("alert").getByText(bad).waitFor()
    await inspect("looks, a proof that does not match")
    await page.unroute(keyPath)
    await page.unroute(proofPath)
    await button(page, "Check the proof").click()
    await line.getByText(good).waitFor()
    await line.getByText("What was checked").click()
    await line.getByText(key, { exact: true }).waitFor()
    await inspect("looks, a proof")
    const stops = await order()
    for (const stop of ["switch Show everything", "button Stop sharing, Dr. Ada Gray", "button Check the proof"]) {
      assert.include(stops, stop)
    }
    assert.deepStrictEqual(stops.slice(-3), [
      "button Save as a file (CSV)",
      "button Save the looks as FHIR",
      "combobox Language, idioma"
    ])
  })

  test("is not called good by a browser that cannot check signatures", async () => {
    const { page } = await openTab(browser)
    await page.addInitScript(() => {
      crypto.subtle.importKey = () => Promise.reject(new DOMException("no Ed25519", "NotSupportedError"))
    })
    const line = await openLine(page)
    await button(page, "Check the proof").click()
    await line.getByText("This browser can’t check the signature", { exact: false }).waitFor()
    assert.strictEqual(await line.getByText(good).count(), 0)
  })
})
