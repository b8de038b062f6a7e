import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { drain } from "../../http/ledger/Drained.ts"
import { signInProvider } from "../../support/Client.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { button, enterPortal, heading } from "../Portal.ts"
import { stored } from "./Stored.ts"
import { newVeteran, openVeteranApp, signInAtVa } from "./VeteranApp.ts"

const portalPort = await freePort()
const portal = `http://localhost:${portalPort}`
const app = await openVeteranApp({ PORTAL_PORT: `${portalPort}`, PROVIDER_PORTAL_URL: portal })

/** Returns the names of tables in whose rows, as text, one of these texts stands. */
const tablesWith = async (texts: ReadonlyArray<string>) => {
  const superuser = await app.database.connect("superuser")
  const { rows: tables } = await superuser.query<{ name: string }>(
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')"
  )
  const found: Array<string> = []
  for (const { name } of tables) {
    const { rows } = await superuser.query(
      `select 1 from ${name} t where exists (select from unnest($1::text[]) x where position(x in t::text) > 0) limit 1`,
      [texts]
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

const filesWith = async (folder: string, texts: ReadonlyArray<string>) => {
  const found: Array<string> = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const content = await readFile(join(entry.parentPath, entry.name))
    if (texts.some((text) => content.includes(text))) found.push(entry.name)
  }
  return found
}

describe("A veteran who connects, updates, reads, shares and stops", () => {
  test("walks from the phone to the clinic and back, and nothing of it stays on the phone", async () => {
    const provider = await signInProvider(app.service)
    const veteran = await newVeteran(app)
    const tokens = new Set<string>()
    const phone = await openTab(await openBrowser(), { serviceWorkers: "allow", viewport: { width: 360, height: 740 } })
    const { page } = phone
    app.va.answerBy(({ headers: { authorization } }) => {
      if (authorization !== undefined) tokens.add(authorization.slice("Bearer ".length))
      return false
    })

    // S1 to S4.
    await page.goto(app.url)
    await heading(page, "See your VA health record").waitFor()
    await signInAtVa(page, veteran)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    await page.getByText("No record yet").waitFor()
    await page.getByText("Nobody can see your record.").waitFor()

    // S5.
    await page.getByRole("link", { name: "Get my record from VA" }).click()
    await page.getByText("Updated. 9 of 11 kinds are complete.").waitFor()

    // S6, S7 and S8.
    await page.getByRole("link", { name: "Record", exact: true }).click()
    await heading(page, "My record").waitFor()
    await page.getByText("2 kinds are not complete").waitFor()
    await page.getByRole("link", { name: "See which" }).click()
    await heading(page, "How complete").waitFor()
    await page.goto(`${app.url}/#/words`)
    await button(page, "Add my own words").click()
    await page.getByRole("textbox").first().fill("I take fish oil.")
    await button(page, "Save").click()
    await page.getByText("I take fish oil.").waitFor()

    // S9 and S10.
    await page.getByRole("link", { name: "Sharing", exact: true }).click()
    await heading(page, "Who has my record now").waitFor()
    await page.getByRole("link", { name: "Share with someone new" }).click()
    await page.getByLabel("Their e-mail").check()
    await page.getByRole("textbox").fill(provider.email)
    await button(page, "Find").click()
    await page.getByText("Added by Veteran Records").waitFor()
    for (const step of ["What may they read?", "Protected parts", "Until when?", "Check, then share"]) {
      await button(page, "Go on").click()
      await heading(page, step).waitFor()
    }
    await page.getByText("They will be told.").waitFor()
    await button(page, /^Share with/).click()
    await page.getByText("They find it at their sign-in. Nothing was mailed.").waitFor()

    // The clinic, in a second window.
    const clinic = await openTab(await openBrowser())
    clinic.expect(/403|status of 4/)
    await enterPortal(clinic.page, portal, provider.email)
    await clinic.page.getByRole("link", { name: veteran.name }).click()
    await clinic.page.getByRole("heading", { name: "Medications" }).first().waitFor()

    // S13, with the proof.
    await page.getByRole("link", { name: "See who has my record" }).click()
    await page.getByRole("link", { name: "Who looked" }).click()
    await heading(page, "Who looked").waitFor()
    await page.getByText(/ looked at /).first().waitFor()
    await page.getByText(/ looked at /).first().click()
    await drain(app.service)
    await button(page, "Check the proof").first().click()
    await page.getByText("This line is in the log that we signed. It was not changed.").waitFor()

    // S9: stop, and the clinic's window loses the record.
    await page.getByRole("link", { name: "Sharing", exact: true }).click()
    await button(page, /^Stop sharing/).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByText(/can no longer see your record/).waitFor()
    await clinic.page.getByText("You no longer have access to this record").waitFor({ timeout: 60_000 })

    const left = await stored(page)
    assert.deepStrictEqual([left.local, left.session, left.cookie], [{}, {}, ""])
    assert.deepStrictEqual(Object.keys(left.databases), ["vrss-device"])
    const { key, session, ...others } = left.databases["vrss-device"]!
    assert.deepStrictEqual([key, others], ["extractable: false", {}])
    assert.match(String(session), /^[0-9a-f-]{36}$/)
    for (const path of left.cached) assert.match(path, /^\/(assets\/[\w.-]+|manifest\.webmanifest)?$/)

    assert.strictEqual(tokens.size, 1)
    assert.deepStrictEqual(await tablesWith([...tokens]), [])
    // Without these two, a search that finds nothing anywhere would pass.
    assert.include(await tablesWith([provider.email]), "public.providers")
    assert.isAbove((await readdir(app.service.directory)).length, 0)
    assert.deepStrictEqual(await filesWith(app.service.directory, [...tokens]), [])
    for (const token of tokens) {
      assert.notInclude(app.service.output(), token)
      assert.notInclude(phone.requests.join(" "), token)
    }
  })
})
