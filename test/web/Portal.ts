import type { Page } from "playwright-core"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { openApp } from "../support/App.ts"
import { providerPassword } from "../support/Client.ts"
import { until } from "../support/Until.ts"

/** The real service on the file's own database, with the built pages at a separate origin. */
export const openPortal = async (environment: Record<string, string | undefined> = {}) => {
  const portalPort = await freePort()
  const portal = `http://localhost:${portalPort}`
  // All browsers of a file share one address, and so one client's limits.
  const app = await openApp({ PORTAL_PORT: `${portalPort}`, PROVIDER_PORTAL_URL: portal, ...environment })
  await until("the portal's pages are read", () => fetch(portal).then(({ ok }) => ok))
  return { ...app, portal }
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
