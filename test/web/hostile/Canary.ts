import type { Browser, Page } from "playwright-core"
import { assert } from "vitest"
import { openTab, type Tab } from "../Browser.ts"

/** A tab that notices what foreign content does: a script that runs, a request, a window, a download. */
export interface HostileTab extends Tab {
  /** Asserts that foreign content has done nothing so far. */
  readonly assertQuiet: () => Promise<void>
}

export const openHostileTab = async (browser: Browser, origins: ReadonlyArray<string>): Promise<HostileTab> => {
  const tab = await openTab(browser)
  const { context, page } = tab
  const [strays, sung]: [Array<string>, Array<string>] = [[], []]
  // The context reports the requests of every frame and worker in every window.
  context.on("request", (request) => {
    const url = request.url()
    if (!origins.some((origin) => url.startsWith(`${origin}/`)) && !isOwn(url, origins)) strays.push(url)
  })
  // The content security policy blocked this request before it was sent, so the request does not count.
  context.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "csp") strays.splice(strays.indexOf(request.url()), 1)
  })
  context.on("page", (opened) => strays.push(`window ${opened.url()}`))
  page.on("download", (download) => strays.push(`download ${download.url()}`))
  await context.exposeFunction("sing", (where: string) => sung.push(where))
  await context.addInitScript(() => {
    Object(globalThis).canary = () => Object(globalThis).sing(location.href)
  })
  return {
    ...tab,
    assertQuiet: async () => {
      await page.waitForTimeout(200)
      assert.deepStrictEqual({ strays, sung, tampered: await tampered(page) }, { strays: [], sung: [], tampered: [] })
    }
  }
}

/** Returns whether the URL is of a blob that the page itself made in memory. */
const isOwn = (url: string, origins: ReadonlyArray<string>) =>
  ["null", ...origins].some((origin) => url.startsWith(`blob:${origin}/`))

/** Lists elements and attributes that our components never make, and properties that were added to every object. */
const tampered = (page: Page) =>
  page.evaluate(() => {
    const found: Array<string> = []
    for (const element of document.querySelectorAll("*")) {
      if (["SCRIPT", "BASE", "OBJECT", "EMBED"].includes(element.tagName)) {
        if (element.getAttribute("src")?.startsWith("/assets/") !== true) found.push(element.outerHTML)
      }
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on") || name.endsWith("action")) found.push(`${name}=${value}`)
        if (
          name === "href" && !value.startsWith(`${location.origin}/assets/`) &&
          !/^(#|\/assets\/|\/config\.json$|\/manifest\.webmanifest$|blob:)/.test(value)
        ) found.push(`${name}=${value}`)
        if (name === "src" && !/^(\/assets\/|blob:|\/frame$)/.test(value)) found.push(`${name}=${value}`)
      }
    }
    for (const name in {}) found.push(`every object has ${name}`)
    return found
  })
