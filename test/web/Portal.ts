import type { Page } from "playwright-core"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { type AtEnd, sharing, startApp } from "../support/App.ts"
import { providerPassword } from "../support/Client.ts"
import { until } from "../support/Until.ts"

const startPortal = async (settings: Record<string, string | undefined>, atEnd: AtEnd) => {
  const portalPort = await freePort()
  const portal = `http://localhost:${portalPort}`
  const app = await startApp({ PORTAL_PORT: `${portalPort}`, PROVIDER_PORTAL_URL: portal, ...settings }, atEnd)
  await until("the portal's pages are read", () => fetch(portal).then(({ ok }) => ok))
  return { ...app, portal }
}

const openShared = sharing(startPortal)

/** Opens the real service, with the built pages on another origin. Test files without settings share it per worker. */
export const openPortal = async (settings?: Record<string, string | undefined>) => {
  const app = await openShared(settings)
  // All browsers have one IP address, so rate limits count all tests as one client. This resets the counts.
  await (await app.database.connect("superuser")).query("truncate rate_limit_spendings")
  return app
}

/** Fills and submits the sign-in form, which must be visible. */
export const fillSignIn = async (page: Page, email: string, password = providerPassword) => {
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name })

export const atSignIn = (page: Page) => heading(page, "Sign in to see shared records").waitFor()

export const atPatients = (page: Page) => heading(page, "Patients who share with you").waitFor()

/** Opens the portal at `route`, or at the patients, and signs in. */
export const enterPortal = async (page: Page, portal: string, email: string, route = "") => {
  await page.goto(`${portal}/${route}`)
  await fillSignIn(page, email)
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) })
