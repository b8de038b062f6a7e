import { assert, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { heading } from "../Portal.ts"
import { atConnect, openVeteranApp, signInAtVa } from "./VeteranApp.ts"

/** The settings that the tests' VA gives to the service, unset. */
const noVa = Object.fromEntries(
  ["CLIENT_ID", "ISSUER", "KEYS", "AUTHORIZATION_URL", "TOKEN_URL", "FHIR_BASE", "SCOPES", "RESOURCE_TYPES"].map((
    name
  ) => [
    `VA_${name}`,
    undefined
  ])
)

test("In development, Eagle One of the sandbox VA signs in without a code, and the page says that it is a sandbox", async () => {
  const app = await openVeteranApp({ ...noVa, APP_ENV: "development", SANDBOX_VA_PORT: `${await freePort()}` })
  const { page, requests } = await openTab(await openBrowser())
  await page.goto(app.url)
  await page.getByText("Sandbox VA: no real records.", { exact: true }).waitFor()
  await signInAtVa(page, { name: "Eagle One" })
  await heading(page, "Hello, Eagle One").waitFor()
  assert.deepStrictEqual(requests.filter((request) => request.endsWith("/app/pairing")), [])
})

test("Without a VA, the page says that the service is not connected, and leads nowhere", async () => {
  const app = await openVeteranApp(noVa)
  const { page, requests } = await openTab(await openBrowser())
  await page.goto(app.url)
  await atConnect(page)
  const words = "This service is not connected to VA yet. Tell the people who run it."
  await page.getByText(words, { exact: true }).waitFor()
  await page.getByRole("button", { name: "Connect to VA" }).click()
  await page.getByText(words, { exact: true }).waitFor()
  assert.deepStrictEqual(requests.filter((request) => request.startsWith("POST")), [])
})
