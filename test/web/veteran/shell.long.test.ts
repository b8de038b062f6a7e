import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { appHeaders } from "../../../src/pages/Headers.ts"
import { veteran } from "../../../src/pages/Sites.ts"
import { until } from "../../support/Until.ts"
import { ask } from "../Ask.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { heading } from "../Portal.ts"
import { openBuiltApp } from "./BuiltApp.ts"
import { stored } from "./Stored.ts"
import { atConnect, enterVeteranApp, newVeteran, openVeteranApp } from "./VeteranApp.ts"

/** The list that the build wrote into the service worker. */
const listed = (): ReadonlyArray<string> =>
  JSON.parse(/^const BUILD = (\{.*?\});/.exec(readFileSync(join(veteran.folder, "sw.js"), "utf8"))![1]!).files

/** Waits until the service worker has all files and answers the page's next requests. */
const ready = async (page: Page) => {
  await page.evaluate(async () => void await navigator.serviceWorker.ready)
  await until("the files are kept", async () => (await stored(page)).cached.length === listed().length)
}

/** Without a connection, the emulation of a reloaded page begins with `navigator.onLine`, and is therefore set anew. */
const reloadOffline = async (context: BrowserContext, page: Page) => {
  await context.setOffline(true)
  await page.reload()
  await context.setOffline(false)
  await context.setOffline(true)
}

const script = (page: Page) => page.locator("script[type=module]").getAttribute("src")

describe("The app's service worker", () => {
  test("keeps the files of its build and nothing else, and opens the app without a connection, which the app says", async () => {
    const app = await openVeteranApp()
    const person = await newVeteran(app)
    const { context, expect, page } = await enterVeteranApp(app, person, { serviceWorkers: "allow" })
    await ready(page)
    await page.getByRole("link", { name: "Get my record from VA" }).click()
    await page.getByText(/^Updated\./).waitFor()
    await page.reload()
    await page.getByRole("link", { name: "Record", exact: true }).click()
    await heading(page, "My record").waitFor()
    const { cached } = await stored(page)
    assert.deepStrictEqual(cached.sort(), [...listed()].sort())
    assert.deepStrictEqual(cached.filter((path) => !/^\/(assets\/.+|manifest\.webmanifest)?$/.test(path)), [])

    // Without a connection the app opens, and says so.
    await page.getByRole("link", { name: "Home", exact: true }).click()
    expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await reloadOffline(context, page)
    await heading(page, "Your records can't be opened now").waitFor()
    await page.getByText("You are offline", { exact: true }).waitFor()
    assert.notInclude(await page.content(), person.name)
    await context.setOffline(false)
    await heading(page, `Hello, ${person.name}`).waitFor()
  })

  test("answers files from its cache until a new build begins, and the page too when the server is gone", async () => {
    const { origin, rebuild, stop } = await openBuiltApp()
    const { context, expect, page } = await openTab(await openBrowser(), { serviceWorkers: "allow" })
    expect(/ERR_/)
    await page.goto(origin)
    await ready(page)
    const by: Record<string, boolean> = {}
    page.on("response", (response) => {
      by[response.url().slice(origin.length)] = response.fromServiceWorker()
    })
    // The screen may be there before the browser tells of the answer from which it was made.
    await Promise.all([page.waitForResponse(`${origin}/config.json`), page.reload()])
    await atConnect(page)
    assert.deepInclude(by, { "/": true, "/config.json": false, [(await script(page))!]: true })
    const planted = await page.goto(`${origin}/?code=a&state=b`)
    assert.isFalse(planted!.fromServiceWorker())
    await page.getByText("That sign-in did not start here. Start again.").waitFor()

    // A new build begins only when no window holds one of the two locks.
    const old = await script(page)
    const other = await context.newPage()
    await other.goto(origin)
    const hold = (lock: string) =>
      other.evaluate(
        (lock) =>
          new Promise<void>((held) =>
            void navigator.locks.request(lock, () =>
              new Promise((release) => {
                Object.assign(globalThis, { [lock]: release })
                held()
              }))
          ),
        lock
      )
    const release = (lock: string) => other.evaluate((lock) => Object(globalThis)[lock](), lock)
    await hold("update")
    const built = rebuild()
    const isWaiting = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        await registration.update()
        return registration.waiting !== null
      })
    const askToBegin = () => page.evaluate(() => dispatchEvent(new Event("hashchange")))
    await until("the new build waits", isWaiting)
    await askToBegin()
    assert.isTrue(await isWaiting())
    await hold("vrss-form")
    await release("update")
    await askToBegin()
    assert.isTrue(await isWaiting())
    assert.strictEqual(await script(page), old)
    await release("vrss-form")
    await askToBegin()
    await until("the page is of the new build", async () => (await script(page))?.endsWith(built) === true)
    await until("the other window too", async () => (await script(other))?.endsWith(built) === true)
    await until("the old files are gone", async () => !(await stored(page)).cached.some((path) => path.endsWith(old!)))

    // When the server is gone, the first screen opens, with the button off.
    await stop()
    await reloadOffline(context, page)
    await atConnect(page)
    const connect = page.getByRole("button", { name: "Connect to VA" })
    assert.strictEqual(await connect.getAttribute("aria-disabled"), "true")
    await page.getByText("You are offline.", { exact: true }).first().waitFor()
  })
})

describe("The app's files at fixed addresses", () => {
  test("are served with their types and the headers of the app, and are never stored by a cache", async () => {
    const app = await openVeteranApp()
    const expected = appHeaders([app.service.url, app.va.origin], false)
    for (
      const [path, type] of [["/sw.js", "text/javascript"], ["/manifest.webmanifest", "application/manifest+json"]]
    ) {
      const { headers, status } = await ask(app.url, path!)
      assert.deepStrictEqual([status, headers["content-type"], headers["cache-control"]], [200, type, "no-store"])
      for (const [name, value] of Object.entries(expected)) assert.strictEqual(headers[name], value)
      assert.include(headers["content-security-policy"], "manifest-src 'self'")
    }
  })

  test("The manifest names icons that are there, in the sizes that it says", async () => {
    const app = await openVeteranApp()
    const { icons, start_url }: { icons: ReadonlyArray<Record<string, string>>; start_url: string } = JSON.parse(
      (await ask(app.url, "/manifest.webmanifest")).body.toString()
    )
    assert.strictEqual(start_url, "/")
    const sizes = await Promise.all(icons.map(async ({ purpose = "any", src, type }) => {
      const { body, headers } = await ask(app.url, src!)
      assert.deepStrictEqual([headers["content-type"], body.subarray(1, 4).toString()], [type, "PNG"])
      return [purpose, `${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`]
    }))
    assert.deepStrictEqual(sizes, [["any", "192x192"], ["any", "512x512"], ["maskable", "512x512"]])
    assert.deepStrictEqual(sizes.map(([, size]) => size), icons.map((icon) => icon["sizes"]))
  })
})
