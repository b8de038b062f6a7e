import type { Page } from "playwright-core"
import { call, type SignedIn } from "../../support/Client.ts"
import { openBrowser, type openTab } from "../Browser.ts"
import { openInspection } from "../pages/Inspection.ts"
import { once, refused } from "../pages/Refusals.ts"
import { type enterVeteranApp, signInTab, type VeteranApp } from "./VeteranApp.ts"

/** Helpers of walks that also inspect the states through which they come. */

/** Opens a tab whose states are inspected. Requests may be refused in it. */
export const inspectTab = async (options: Parameters<typeof openTab>[1] = {}) => {
  const tab = await openInspection(await openBrowser(), options)
  tab.expect(refused)
  return tab
}

/** The same, with the veteran signed in. */
export const inspectVeteranApp = async (...[app, veteran, options = {}]: Parameters<typeof enterVeteranApp>) => {
  const { route, ...others } = options
  return signInTab(await inspectTab(others), app, veteran, route)
}

/** The service gets the next request to `path`, and its answer never arrives. */
export const loseAnswer = (page: Page, path: string) =>
  page.route(
    path,
    once(async (route) => {
      await route.fetch()
      await route.abort()
    })
  )

/** Answers each request to `path` as a service that is away, until `page.unroute`. */
export const answerAway = (page: Page, path: string | RegExp) =>
  page.route(path, (route) =>
    route.fulfill({
      status: 503,
      headers: { "access-control-allow-origin": new URL(page.url()).origin },
      json: { error: "service_unavailable", message: "Later." }
    }))

/** Ends the sessions of a veteran on all devices but the test's own. */
export const endOthers = async ({ service }: VeteranApp, { headers }: Pick<SignedIn, "headers">) => {
  const { json } = await call(service, "GET", "/api/veteran/me/sessions", { headers })
  for (const { current, id } of json.items) {
    if (!current) await call(service, "POST", `/api/veteran/me/sessions/${id}/end`, { headers, body: {} })
  }
}

/** Lets the page believe that it is hidden, or seen again. */
export const seen = (page: Page, state: "hidden" | "visible") =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true })
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))
  }, state)

/** The Tab stops after the frame's link to the account. */
export const afterFrame = (stops: ReadonlyArray<string>) => stops.slice(stops.indexOf("link Account") + 1)
