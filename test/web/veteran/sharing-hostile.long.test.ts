import { assert, test } from "vitest"
import { newId } from "../../../src/services/platform/Ids.ts"
import { createLink, step } from "../../http/link/Links.ts"
import { signed } from "../../http/release/Releases.ts"
import { readPatientRecord } from "../../http/Sharing.ts"
import { giveGrant, signInProvider } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { openBrowser } from "../Browser.ts"
import { openHostileTab } from "../hostile/Canary.ts"
import { payloads } from "../hostile/Payloads.ts"
import { cutTexts, sticksOut } from "../pages/Overflow.ts"
import { button, heading } from "../Portal.ts"
import { enterApp, newSharer } from "./Sharers.ts"
import { stored } from "./Stored.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, service } = app

const superuser = await database.connect("superuser")

const browser = await openBrowser()

const origins = [app.url, service.url, new URL(app.va.environment.VA_TOKEN_URL).origin]

/** Names as long as the service takes them, in scripts that run from right to left, and made of pictures. */
const names = [
  ...payloads,
  "W".repeat(200),
  "\u0645\u062d\u0645\u062f ".repeat(30),
  "\u202eDr. Evil",
  "👨‍👩‍👧‍👦".repeat(18),
  "z\u0301\u0302\u0303\u0304".repeat(40)
].map((name) => name.replaceAll("\0", "").slice(0, 200).toWellFormed())

test("Names that other people chose are shown as text, in their place, on all four screens, and are stored nowhere", async () => {
  const veteran = await newSharer(app)
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
  await superuser.query(
    `with named as (
       insert into providers (id, email, password_hash, display_name, organization)
       select id, id || '@clinic.example', 'x', name, name from unnest($1::uuid[], $2::text[]) as n (id, name)
       returning id
     )
     insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported,
       include_documents, purpose, status, granted_at, expires_at)
     select id, $3, id, '{}', true, true, 'treatment', 'active', now(), now() + interval '1 hour' from named`,
    [names.map(() => newId()), names, veteran.id]
  )
  const canary = await signInProvider(service)
  await superuser.query("update providers set display_name = 'Dr. Canary Finch' where id = $1", [canary.id])
  const grant = await giveGrant(service, veteran, canary, { purpose: "canary purpose" })
  await readPatientRecord(service, canary, veteran)
  // Those whose look is in the account, besides the one above.
  for (const name of names.slice(-4)) {
    const provider = await signInProvider(service)
    await superuser.query("update providers set display_name = $2 where id = $1", [provider.id, name])
    await giveGrant(service, veteran, provider)
    await readPatientRecord(service, provider, veteran)
  }
  const { document } = await signed(service, veteran)
  for (const recipientName of [names[0]!, names.at(-2)!, "W".repeat(200)]) {
    const link = await createLink(service, veteran, { documentId: document.id, recipientName })
    await step(service, "open", { token: link.token })
  }
  await superuser.query("update veterans set call_sign = $2 where id = $1", [veteran.id, names[6]!.slice(0, 100)])

  const { assertQuiet, expect, page } = await openHostileTab(browser, origins)
  expect(/409/)
  await page.setViewportSize({ width: 360, height: 740 })
  const assertInPlace = async (screen: string) => {
    assert.deepStrictEqual([...await page.evaluate(sticksOut), ...await page.evaluate(cutTexts, "body")], [], screen)
    await assertQuiet()
  }
  await enterApp(page, app, veteran, "#/sharing")
  await page.getByText(/\d+ can see it\./).waitFor()
  const titles = await page.locator("main h2").allTextContents()
  for (const name of names) {
    assert.include(titles.map((title) => title.replaceAll(/\s+/g, " ")), name.replaceAll(/\s+/g, " "))
  }
  await assertInPlace("sharing")
  await page.getByRole("button", { name: /^Stop sharing/ }).first().click()
  await page.getByRole("dialog").waitFor()
  await assertInPlace("the question")
  await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
  await page.getByText(/can no longer see your record|They still have another one/).waitFor()
  await assertInPlace("after a stop")

  await page.getByRole("link", { name: "Home", exact: true }).click()
  await heading(page, /^Hello, /).waitFor()
  await page.getByText("See who looked").waitFor()
  await assertInPlace("home")

  await page.getByRole("link", { name: "Who looked", exact: true }).click()
  await page.locator("summary").nth(6).waitFor()
  for (const summary of await page.locator("summary").all()) await summary.click()
  await assertInPlace("looks")
  await button(page, "Check the proof").first().click()
  await page.getByText(/Not in the log yet|It was not changed/).waitFor()

  await page.getByRole("link", { name: "Sharing", exact: true }).click()
  for (const at of [0, 20, 45]) {
    await page.getByRole("link", { name: /^Change or extend/ }).nth(at).click()
    await heading(page, "Check, then share").waitFor()
    await assertInPlace("share")
    await page.goBack()
    await page.getByText(/\d+ can see it\./).waitFor()
  }
  await page.getByRole("link", { name: /^Change or extend.*Canary/ }).click()
  await heading(page, "Check, then share").waitFor()
  await button(page, "Change until when").click()
  await page.getByLabel("90 days").check()
  await page.goto(`${app.url}/#/sharing`)
  await page.getByRole("link", { name: /^Change or extend/ }).first().click()
  await button(page, /^Share with/).click()
  await heading(page, /can see your record until/).waitFor()
  await assertInPlace("share, done")

  // Nothing of it stays in any storage of the browser.
  const kept = await stored(page)
  assert.deepStrictEqual(kept.cached, [])
  for (const secret of ["Canary", "canary purpose", grant.id, canary.id, canary.email, "Condition"]) {
    assert.notInclude(JSON.stringify(kept), secret)
  }
})
