import type { Page } from "playwright-core"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { openApp } from "../support/App.ts"
import { providerPassword } from "../support/Client.ts"
import { until } from "../support/Until.ts"

/** The real service on a database of the file's own, with the built pages served on an origin of their own. */
export const openPortal = async (environment: Record<string, string | undefined> = {}) => {
  const portalPort = await freePort()
  const portal = `http://localhost:${portalPort}`
  // Browsers say no address of their own: all of a file are one client, as far as limits go.
  const app = await openApp({ PORTAL_PORT: `${portalPort}`, PROVIDER_PORTAL_URL: portal, ...environment })
  await until("the portal's pages are read", () => fetch(portal).then(({ ok }) => ok))
  return { ...app, portal }
}

/** Fills the sign-in form, which is shown, and sends it. */
export const fillSignIn = async (page: Page, email: string, password = providerPassword) => {
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name })

export const atSignIn = (page: Page) => heading(page, "Sign in to see shared records").waitFor()

export const atPatients = (page: Page) => heading(page, "Patients who share with you").waitFor()

/** Opens the portal, at the patients or at `route`, and signs in. */
export const enterPortal = async (page: Page, portal: string, email: string, route = "") => {
  await page.goto(`${portal}/${route}`)
  await fillSignIn(page, email)
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) })
