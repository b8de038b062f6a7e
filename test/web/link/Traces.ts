import type { Browser, BrowserContextOptions } from "playwright-core"
import { assert } from "vitest"
import { openTab } from "../Browser.ts"

/** Opens a tab that notes where a secret of its page could leave a trace. */
export const openTraced = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const tab = await openTab(browser, options)
  const { context, page, requests } = tab
  const [referrers, said, sent]: [Array<string>, Array<string>, Array<string>] = [[], [], []]
  page.on("console", (message) => said.push(message.text()))
  page.on("request", (request) => {
    referrers.push(request.headers()["referer"] ?? "")
    sent.push(request.postData() ?? "", JSON.stringify(request.headers()))
  })

  /**
   * Asserts that the page stores nothing. No secret is in its address, its history, its text or its messages, nor in an
   * address that it requested. A secret that is `kept` is in no body of a request either.
   */
  const assertNoTrace = async (secret: string, kept: ReadonlyArray<string> = []) => {
    const tools = await context.newCDPSession(page)
    const { entries } = await tools.send("Page.getNavigationHistory")
    const stored = await page.evaluate(async () => [
      ...Object.entries(localStorage),
      ...Object.entries(sessionStorage),
      ...await indexedDB.databases(),
      ...await caches.keys(),
      document.cookie,
      document.referrer,
      history.state
    ])
    assert.deepStrictEqual(stored, ["", "", null])
    const seen = [...requests, ...entries.map(({ title, url }) => `${title} ${url}`), ...said, await page.content()]
    for (const one of [secret, ...kept]) assert.deepStrictEqual(seen.filter((text) => text.includes(one)), [])
    for (const one of kept) assert.deepStrictEqual(sent.filter((text) => text.includes(one)), [])
    assert.deepStrictEqual(referrers.filter((referrer) => referrer !== ""), [])
  }
  return { ...tab, assertNoTrace }
}
