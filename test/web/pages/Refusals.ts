import type { Page, Route } from "playwright-core"

/** Matches the browser's messages about refused and broken requests. */
export const refused = /status of (4|5)\d\d|ERR_/

/**
 * Makes a route for one request. Playwright's `times: 1` would turn interception off while other requests of the page
 * wait in it, and some of those never go on.
 */
export const once = (handle: (route: Route) => unknown) => {
  let isFirst = true
  return async (route: Route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    await handle(route)
  }
}

/** Answers the next request to `path` with this status and body, in place of the service. */
export const answerOnce = (page: Page, path: string, status: number, json: object) =>
  page.route(
    path,
    once((route) =>
      route.fulfill({
        status,
        json,
        headers: {
          "access-control-allow-origin": new URL(page.url()).origin,
          "access-control-allow-credentials": "true"
        }
      })
    )
  )
