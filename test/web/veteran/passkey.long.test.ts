import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { until } from "../../support/Until.ts"
import { button, heading } from "../Portal.ts"
import { unconfirm } from "./Account.ts"
import { inspectTab, inspectVeteranApp } from "./Inspected.ts"
import { stored } from "./Stored.ts"
import { openAuthenticator } from "./Touches.ts"
import {
  atConnect,
  atLocked,
  newUnpaired,
  newVeteran,
  openVeteranApp,
  pairByPaper,
  signInAtVa,
  signOut,
  type TestVeteran
} from "./VeteranApp.ts"

const app = await openVeteranApp()
const superuser = await app.database.connect("superuser")

beforeEach(async () => void await superuser.query("truncate rate_limit_spendings"))

const says = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

const passkeysOf = async ({ id }: TestVeteran) =>
  (await superuser.query("select last_used_at from veteran_passkeys where veteran_id = $1", [id])).rows

const lastSession = async ({ id }: TestVeteran) =>
  (await superuser.query(
    "select how, confirmed_how from veteran_sessions where veteran_id = $1 order by created_at desc limit 1",
    [id]
  )).rows[0]

/** A veteran who is signed in, and has set up a passkey in Account. */
const withPasskey = async () => {
  const veteran = await newVeteran(app)
  const tab = await inspectVeteranApp(app, veteran)
  const authenticator = await openAuthenticator(tab.page)
  await tab.page.goto(`${app.url}/#/account`)
  await button(tab.page, "Set up on this device").click()
  await says(tab.page, "It is set up. Next time, use your face or fingerprint.")
  return { ...tab, authenticator, veteran }
}

describe("A passkey", () => {
  test("is offered once, after the first sign-in, and opens the app when it is locked", async () => {
    const person = await newUnpaired(app)
    const { look, page } = await enterUnpaired(person)
    await openAuthenticator(page)
    await heading(page, `Hello, ${person.name}`).waitFor()
    await page.getByRole("heading", { name: "Next time, use your face or fingerprint" }).waitFor()
    await look("S2 offer of a passkey")
    await button(page, "Set up").click()
    await says(page, "It is set up. Next time, use your face or fingerprint.")
    await look("S2 passkey is set up")
    assert.lengthOf(await passkeysOf(person), 1)
    await page.getByRole("link", { name: "Record", exact: true }).click()
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await heading(page, `Hello, ${person.name}`).waitFor()
    assert.strictEqual(await page.getByText("Next time, use your face").count(), 0)
    await signOut(page)
    await button(page, "Open with face or fingerprint").click()
    await heading(page, `Hello, ${person.name}`).waitFor()
    assert.deepStrictEqual(await lastSession(person), { how: "passkey", confirmed_how: null })
    assert.strictEqual(await page.getByText("Next time, use your face").count(), 0)
    // The browser keeps what it kept before: a key, and an id.
    const { databases, local, session } = await stored(page)
    assert.deepStrictEqual([Object.keys(databases), local, session], [["vrss-device"], {}, {}])
    assert.deepStrictEqual(Object.keys(databases["vrss-device"]!).sort(), ["key", "session"])
  })

  test("that is not wanted now is not offered again", async () => {
    const person = await newUnpaired(app)
    const { page } = await enterUnpaired(person)
    assert.deepStrictEqual((await page.getByRole("heading").allInnerTexts()).slice(0, 2), [
      `Hello, ${person.name}`,
      "Next time, use your face or fingerprint"
    ])
    await button(page, "Not now").click()
    await says(page, "You can set it up later in Account.")
    assert.strictEqual(await focused(page), "You can set it up later in Account.")
    await page.getByRole("link", { name: "Record", exact: true }).click()
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await heading(page, `Hello, ${person.name}`).waitFor()
    assert.strictEqual(await page.getByText("set it up later").count(), 0)
    await page.reload()
    await heading(page, `Hello, ${person.name}`).waitFor()
    assert.strictEqual(await page.getByText("Next time, use your face").count(), 0)
  })

  test("is not made twice on one device, opens all windows, also on a device that has forgotten it, and is removed", async () => {
    const { authenticator, context, look, lookAtWords, page, veteran } = await withPasskey()
    await button(page, "Set up on this device").click()
    await says(page, "This device is set up already.")
    await look("S15 passkey is known")
    assert.lengthOf(await passkeysOf(veteran), 1)

    // In one window it opens the others too.
    const second = await context.newPage()
    await second.goto(app.url)
    await heading(second, `Hello, ${veteran.name}`).waitFor()
    await signOut(page)
    await atLocked(second)
    await button(page, "Open with face or fingerprint").click()
    await heading(second, `Hello, ${veteran.name}`).waitFor()
    await second.close()

    // A person who does not give it leaves everything calm, on either page.
    await signOut(page)
    await authenticator.recognise(false)
    await button(page, "Open with face or fingerprint").click()
    await until(
      "the page has settled",
      () => page.getByRole("button", { name: "Open with face or fingerprint", disabled: false }).isVisible()
    )
    await atLocked(page)
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    await button(page, "Forget this device").click()
    await page.getByRole("dialog").getByRole("button", { name: "Forget this device" }).click()
    await atConnect(page)
    await button(page, "Open with face or fingerprint").click()
    await until(
      "the page has settled",
      () => page.getByRole("button", { name: "Open with face or fingerprint", disabled: false }).isVisible()
    )
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    assert.deepStrictEqual((await stored(page)).databases, {})

    // The device has forgotten it, and gets a new key.
    await authenticator.recognise(true)
    await button(page, "Open with face or fingerprint").click()
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    assert.strictEqual((await lastSession(veteran)).how, "passkey")
    assert.isNotNull((await passkeysOf(veteran))[0].last_used_at)

    // One that was removed says so, and leaves no key behind.
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Remove Chrome on Linux").click()
    await page.getByRole("dialog", { name: "Remove \"Chrome on Linux\"?" }).waitFor()
    await lookAtWords("S15 remove a passkey")
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await says(page, `"Chrome on Linux" was removed.`)
    assert.strictEqual(await focused(page), "Face or fingerprint")
    assert.lengthOf(await passkeysOf(veteran), 0)
    await signOut(page)
    await button(page, "Open with face or fingerprint").click()
    await says(page, "This passkey is not known here any more. Sign in at VA.")
    await look("S3 unknown passkey")
    await button(page, "Forget this device").click()
    await page.getByRole("dialog").getByRole("button", { name: "Forget this device" }).click()
    await atConnect(page)
    await button(page, "Open with face or fingerprint").click()
    await says(page, "This passkey is not known here any more. Sign in at VA.")
    await until("no key is left", async () => Object.keys((await stored(page)).databases).length === 0)
    await signInAtVa(page, veteran)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
  })
})

describe("A step that wants the veteran to be confirmed", () => {
  test("goes on after a touch", async () => {
    const { authenticator, look, order, page, veteran } = await withPasskey()
    await button(page, "Remove Chrome on Linux").waitFor()
    await look("S15 a passkey")
    const key = await openAuthenticator(page, "usb")
    await unconfirm(app, veteran)
    await authenticator.turn(false)
    await button(page, "Set up on this device").click()
    await page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor()
    assert.deepStrictEqual(await order(), ["button Use face or fingerprint", "link Sign in at VA in a new window",
      "button Cancel"])
    await look("Confirm")
    assert.lengthOf(await key.credentials(), 1)
    await authenticator.turn(true)
    await key.turn(false)
    await button(page, "Use face or fingerprint").click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await until("the passkey is kept", async () => (await passkeysOf(veteran)).length === 2)
    assert.deepStrictEqual(await lastSession(veteran), { how: "va", confirmed_how: "passkey" })
  })

  test("is not taken if the veteran does not want to, ends with a lock, and goes on after a sign-in in a new window", async () => {
    const veteran = await newVeteran(app)
    const { context, expect, look, page } = await inspectVeteranApp(app, veteran, { route: "#/account" })
    await openAuthenticator(page)
    expect(/close/)
    await unconfirm(app, veteran)
    await button(page, "Set up on this device").click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    await says(page, "Nothing was done. You did not confirm that it is you. Nothing was changed.")
    assert.lengthOf(await passkeysOf(veteran), 0)
    // A passkey that nobody knows confirms nothing.
    await button(page, "Set up on this device").click()
    await button(page, "Use face or fingerprint").click()
    await says(page, "This passkey is not known here any more. Sign in at VA.")
    await look("Confirm by an unknown passkey")
    await superuser.query("update veteran_sessions set ended_at = now() where veteran_id = $1", [veteran.id])
    await button(page, "Use face or fingerprint").click()
    await atLocked(page)
    assert.strictEqual(await page.getByRole("dialog").count(), 0)

    // The new window of the VA is closed after the sign-in.
    await signInAtVa(page, veteran)
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Set up on this device").waitFor()
    await unconfirm(app, veteran)
    await button(page, "Set up on this device").click()
    const opened = context.waitForEvent("page")
    await page.getByRole("link", { name: "Sign in at VA in a new window" }).click()
    const other = await opened
    await other.getByRole("link", { name: veteran.name, exact: true }).click()
    const closed = other.waitForEvent("close", { timeout: 10_000 })
    await says(other, "Confirmed. You can close this window.")
    await closed
    await says(page, "It is set up. Next time, use your face or fingerprint.")
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    assert.lengthOf(await passkeysOf(veteran), 1)
    assert.deepStrictEqual(await lastSession(veteran), { how: "va", confirmed_how: "va" })
  })
})

/** Signs in for the first time, and pairs by the operator's code. */
async function enterUnpaired(person: TestVeteran) {
  const tab = await inspectTab()
  await tab.page.goto(app.url)
  await signInAtVa(tab.page, person)
  await pairByPaper(tab.page, app, person)
  await tab.page.getByRole("link", { name: "Account" }).waitFor()
  return tab
}
