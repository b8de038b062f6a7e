import type { Page } from "playwright-core"

/** Matches the browser's messages about refused and broken requests. */
export const refused = /status of (4|5)\d\d|ERR_/

/** Answers the next request to `path` with this status and body, in place of the service. */
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
