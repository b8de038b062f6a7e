import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { until } from "../../support/Until.ts"
import { button, heading } from "../Portal.ts"
import { card } from "../record/Records.ts"
import { small } from "../record/Small.ts"
import { answerAway, inspectVeteranApp } from "./Inspected.ts"
import { follow, openOwnRecord, wholeOwn, withRecord, write } from "./OwnRecords.ts"
import { stored } from "./Stored.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const items = /\/health-record\?/

/** Answers the record's pages with a problem, as often as `times` says. */
const answer = async (page: Page, times: number, status: number, body: object) => {
  let left = times
  await page.route(items, (route) =>
    left-- > 0
      ? route.fulfill({ status, headers: { "access-control-allow-origin": app.url }, json: body })
      : route.continue())
}

describe("The veteran's record when something is in the way", () => {
  test("Cards do not say “none” without an answer, and a token is renewed once, but a session's end locks the app", async () => {
    const { look, page, requests } = await inspectVeteranApp(app, await withRecord(app, small))
    await answerAway(page, /resourceType=AllergyIntolerance/)
    await follow(page, "#/record")
    await page.getByText("The service can't be reached").waitFor()
    const text = (await card(page, "Allergies").innerText()).replaceAll(/\s+/g, " ")
    assert.include(text, "Not all loaded Allergies could not all be loaded here. Do not read this as “none.”")
    await look("veteran record, not all loaded")
    await page.unroute(/resourceType=AllergyIntolerance/)
    await button(page, "Try again").click()
    await card(page, "Allergies").getByText("Penicillin G").waitFor()
    await wholeOwn(page)

    // A token that expires while the record is read is renewed, and the reading continues.
    await follow(page, "#/home")
    await until("the thread has ended", async () => page.workers().length === 0)
    const begun = requests.length
    await answer(page, 3, 401, { error: "unauthenticated", message: "Sign in." })
    await follow(page, "#/record")
    await wholeOwn(page)
    assert.include(await card(page, "Allergies").innerText(), "Penicillin G")
    const renewals = requests.slice(begun).filter((request) =>
      request === `POST ${app.service.url}/api/auth/veteran/app/renew`
    )
    assert.strictEqual(renewals.length, 1)

    // A session that is refused after a renewal too locks the app, and nothing of the record stays.
    await follow(page, "#/home")
    await until("the thread has ended", async () => page.workers().length === 0)
    await answer(page, Infinity, 401, { error: "unauthenticated", message: "Sign in." })
    await follow(page, "#/record")
    await heading(page, "Locked").waitFor()
    await until("the thread has ended", async () => page.workers().length === 0)
  })

  test("After a walk through the record, which one thread reads, no storage and no address has anything of it", async () => {
    const veteran = await withRecord(app, small)
    await write(app, veteran, { category: "note", text: "Canary words of mine" })
    const { context, expect, look, page, requests } = await openOwnRecord(app, veteran)
    const addresses: Array<string> = []
    page.on("framenavigated", (frame) => addresses.push(frame.url()))
    await button(page, "All 2 allergies").click()
    await page.getByRole("link", { name: "Penicillin G" }).click()
    await heading(page, "Penicillin G").waitFor()
    assert.match(page.url(), /#\/record\/item\/[0-9a-f-]{36}$/)
    for (const route of ["#/record/all", "#/complete", "#/words"]) {
      await follow(page, route)
      await page.getByRole("heading", { level: 1 }).waitFor()
    }
    await page.getByText("Canary words of mine").waitFor()
    const { cached, databases, history, ...others } = await stored(page)
    assert.deepStrictEqual(others, { local: {}, session: {}, cookie: "" })
    assert.deepStrictEqual([Object.keys(databases), history], [["vrss-device"], "null"])
    // The app's own files are the same for everybody.
    assert.deepStrictEqual(cached.filter((path) => !/^\/(assets\/|manifest\.webmanifest)?/.test(path)), [])
    for (const address of [...addresses, ...requests]) assert.notMatch(address, /severe|Penicillin|Hopper/)

    // One thread reads the record from step to step, and ends with the screen.
    await follow(page, "#/record")
    await wholeOwn(page)
    const pages = () => requests.filter((request) => items.test(request)).length
    const read = pages()
    assert.strictEqual(page.workers().length, 1)
    await button(page, "All 2 allergies").click()
    await page.getByRole("link", { name: "Penicillin G" }).click()
    await page.getByRole("link", { name: "All allergies" }).click()
    await heading(page, "Allergies").waitFor()
    await page.getByRole("link", { name: "Back to my record" }).click()
    await wholeOwn(page)
    assert.strictEqual(page.workers().length, 1)
    assert.strictEqual(pages(), read)
    await page.getByRole("link", { name: "See which" }).or(page.getByRole("link", { name: "Home", exact: true }))
      .first().click()
    await until("the thread has ended", async () => page.workers().length === 0)

    // A thread that failed is told, and the record opens again.
    await follow(page, "#/record")
    await wholeOwn(page)
    expect(/page error|out of memory/)
    await page.workers()[0]!.evaluate(() =>
      void setTimeout(() => {
        throw new Error("out of memory")
      })
    )
    await page.getByRole("alert").getByText("Your record was closed.").waitFor()
    await look("veteran record, closed")
    assert.notInclude(await page.getByRole("main").innerText(), "Penicillin")
    await button(page, "Open again").click()
    await wholeOwn(page)
    await card(page, "Allergies").getByText("Penicillin G").waitFor()

    // Without a connection the record that is open stays, with the time at which it was loaded.
    await context.setOffline(true)
    await page.getByText(/^What you see was loaded at \d{1,2}:\d\d [AP]M\.$/).waitFor()
    await button(page, "All 2 allergies").click()
    await page.getByRole("link", { name: "Penicillin G" }).click()
    await heading(page, "Penicillin G").waitFor()
  })
})
