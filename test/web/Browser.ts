import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { assert, onTestFinished } from "vitest"
import { childrenOf, isBrowser, spend, timeOfAll } from "../support/ProcessorTime.ts"
import { atWorkerEnd } from "../support/WorkerEnvironment.ts"
import { launchChromium } from "./Chromium.ts"

let browser: Promise<Browser> | undefined

const launchShared = async () => {
  const launched = await launchChromium()
  atWorkerEnd(() => {
    for (const pid of childrenOf(process.pid).filter(isBrowser)) spend("browsers", timeOfAll(pid))
    return launched.close()
  })
  return launched
}

/** All test files of a worker share one browser. Each tab has its own storage. */
export const openBrowser = (): Promise<Browser> => browser ??= launchShared()

export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  /** Each request so far: its method and full address. */
  readonly requests: ReadonlyArray<string>
  /** Adds a pattern of console messages that the test expects, such as those of a refused request. */
  readonly expect: (message: RegExp) => void
}

/**
 * Opens a tab with separate storage. The test fails on any violation of the content security policy, and on any console
 * error or page error that it does not expect. Without `serviceWorkers: "allow"` the browser has no service workers.
 * The veteran's app would keep 94 files, 3 MB, in each tab, which is a third of the processor time of a browser's test.
 * Playwright's own "block" lets the app register one and gives it none, which no browser does.
 */
export const openTab = async (
  browser: Browser,
  { serviceWorkers = "block", ...options }: BrowserContextOptions = {}
): Promise<Tab> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", ...options })
  if (serviceWorkers === "block") await context.addInitScript(() => delete Object(Navigator.prototype).serviceWorker)
  const page = await context.newPage()
  const [requests, troubles, expected]: [Array<string>, Array<string>, Array<RegExp>] = [[], [], []]
  page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`))
  page.on("console", (message) => message.type() === "error" ? troubles.push(message.text()) : undefined)
  page.on("pageerror", (error) => troubles.push(`page error: ${error.message}`))
  page.on("dialog", (dialog) => {
    if (dialog.type() !== "beforeunload") troubles.push(`dialog: ${dialog.message()}`)
    void dialog.accept()
  })
  await context.exposeFunction("reportViolation", (violation: string) => troubles.push(`policy: ${violation}`))
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) => {
      Object(globalThis).reportViolation(`${violatedDirective} ${blockedURI}`)
    })
  })
  onTestFinished(async () => {
    await context.close()
    assert.deepStrictEqual(troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble))), [])
  })
  return { page, context, requests, expect: (message) => expected.push(message) }
}
