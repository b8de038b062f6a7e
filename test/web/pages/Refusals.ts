import type { Page } from "playwright-core"

/** Refused and broken requests, of which the browser itself speaks. */
export const refused = /status of (4|5)\d\d|ERR_/

/** The next request to `path` is answered as a service in need would. */
export const answerOnce = (page: Page, path: string, status: number, json: object) =>
  page.route(path, (route) =>
    route.fulfill({
      status,
      json,
      headers: {
        "access-control-allow-origin": new URL(page.url()).origin,
        "access-control-allow-credentials": "true"
      }
    }), { times: 1 })
