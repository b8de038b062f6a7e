import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { heading } from "../Portal.ts"
import { unconfirm } from "./Account.ts"
import { inspectVeteranApp } from "./Inspected.ts"
import { stored } from "./Stored.ts"
import { enterVeteranApp, newVeteran, openVeteranApp, signInAtVa, type TestVeteran } from "./VeteranApp.ts"

const app = await openVeteranApp()
const superuser = await app.database.connect("superuser")

const confirmedAt = async ({ id }: TestVeteran) =>
  (await superuser.query(
    `select id, confirmed_at > clock_timestamp() - interval '5 minutes' as counts from veteran_sessions
     where veteran_id = $1 and ended_at is null order by created_at desc limit 1`,
    [id]
  )).rows[0]

const choose = (page: Page, { name }: Pick<TestVeteran, "name">) =>
  page.getByRole("link", { name, exact: true }).click()

const says = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

describe("The window that confirms", () => {
  test("asks the VA only some minutes after a sign-in, confirms the same session, and tells the other windows", async () => {
    const veteran = await newVeteran(app)
    const { context, page } = await enterVeteranApp(app, veteran)
    const early = await context.newPage()
    await early.goto(`${app.url}/#/confirm`)
    await says(early, "Confirmed. You can close this window.")
    await early.close()
    await unconfirm(app, veteran)
    const before = await confirmedAt(veteran)
    assert.isFalse(before.counts)
    await page.evaluate(() => {
      new BroadcastChannel("vrss-session").addEventListener("message", ({ data }) => {
        if (data.is === "confirmed") document.title = JSON.stringify(data)
      })
    })
    const second = await context.newPage()
    const asked = second.waitForRequest((request) => request.url().startsWith(app.va.authorizationUrl))
    await second.goto(`${app.url}/#/confirm`).catch(() => {})
    assert.strictEqual(new URL((await asked).url()).searchParams.get("max_age"), "240")
    await choose(second, veteran)
    await says(second, "Confirmed. You can close this window.")
    assert.deepStrictEqual(await confirmedAt(veteran), { id: before.id, counts: true })
    await until("the first window is told", async () => (await page.title()).includes(veteran.id))
    assert.deepStrictEqual((await stored(page)).session, {})
  })

  test("says why a person did not confirm, and asks again", async () => {
    const veteran = await newVeteran(app)
    const other = await newVeteran(app)
    const { context, look, page } = await inspectVeteranApp(app, veteran)
    await unconfirm(app, veteran)
    const first = await context.newPage()
    await first.goto(app.url)
    // It knows that the session is in use, because the other window has not been reloaded yet.
    await heading(first, `Hello, ${veteran.name}`).waitFor()
    await page.goto(`${app.url}/#/confirm`)
    // A new window learns from the service that the sign-in no longer confirms.
    await page.reload()
    await page.getByRole("link", { name: "Do not connect" }).click()
    await says(page, "You chose not to connect. Nothing was saved.")
    await look("The window that confirms, denied")
    // Another person's sign-in confirms nothing, and begins no session.
    await signInAtVa(page, other)
    await says(page, "That sign-in could not be checked. Start again.")
    assert.isFalse((await confirmedAt(veteran)).counts)
    await signInAtVa(page, veteran)
    await says(page, "Confirmed. You can close this window.")
    assert.isTrue((await confirmedAt(veteran)).counts)
    await heading(first, `Hello, ${veteran.name}`).waitFor()
  })

  test("tells a browser in which nobody is signed in that it can't confirm here", async () => {
    const { page } = await openTab(await openBrowser())
    await page.goto(`${app.url}/#/confirm`)
    await says(
      page,
      "You can't confirm here, because you are not signed in here. Close this window, and go back to the other one."
    )
  })
})
