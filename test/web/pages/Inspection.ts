import axe from "axe-core"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core"
import { assert, onTestFinished } from "vitest"
import { openTab, type Tab } from "../Browser.ts"
import { focusOrder } from "./FocusOrder.ts"
import { cutTexts, sticksOut } from "./Overflow.ts"

/** Where pictures of all states go, for a person to look at. */
const folder = process.env["PICTURES"]

/** Where README's pictures go. */
const readme = process.env["README_PICTURES"]

/** Pixels; each with the height of a usual screen. */
const wide = { width: 1280, height: 900 }
const narrow = { width: 360, height: 740 }

/** WCAG 1.4.10: at 320 pixels nothing scrolls sideways. */
const narrowest = { width: 320, height: 640 }

const schemes = ["light", "dark"] as const

/** A tab whose states are looked at, one after another; the test fails by all that was found in them. */
export interface Inspection extends Tab {
  /** Looks at the state in which the page is, in all widths, colours and sizes of text. */
  readonly look: (state: string) => Promise<void>
  /** What the Tab key comes to, from the beginning of the page to its end: role and name, as assistive technology is told them. */
  readonly order: () => Promise<ReadonlyArray<string>>
  /** Writes the picture that README shows, where one is asked for. */
  readonly picture: (name: string) => Promise<void>
}

export const openInspection = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Inspection> => {
  const findings: Array<string> = []
  onTestFinished(() => assert.deepStrictEqual(findings, []))
  const tab = await openTab(browser, { viewport: wide, reducedMotion: "reduce", ...options })
  const { context, page } = tab
  const tools = await context.newCDPSession(page)

  const settle = () =>
    within(
      "the page is drawn",
      page.evaluate(async () => {
        await document.fonts.ready
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      })
    )

  const look = async (state: string) => {
    const note = (found: ReadonlyArray<string>, how: string) =>
      findings.push(...found.map((finding) => `${state}, ${how}: ${finding}`))
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        await settle()
        const how = `${viewport.width} ${colorScheme}`
        note(await violations(tools, colorScheme === "dark"), how)
        await takePicture(page, `${state}, ${how}`)
      }
      note(await sideways(page), `${viewport.width}`)
      await withLargeText(tools, async () => {
        await settle()
        const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
        assert.strictEqual(size, "32px")
        note(await sideways(page), `${viewport.width}, text at 200 %`)
      })
      // With another size of the window, as for a picture of the whole page, Chromium forgets the size of the text.
      if (folder !== undefined) {
        await page.setViewportSize({ width: viewport.width, height: 4_000 })
        await withLargeText(tools, () => takePicture(page, `${state}, ${viewport.width} large`, false))
      }
    }
    await page.setViewportSize(narrowest)
    await settle()
    note(await sideways(page), `${narrowest.width}`)
    await page.setViewportSize(wide)
    await page.emulateMedia({ colorScheme: "light" })
    await settle()
  }

  const order = () => focusOrder(page, tools)

  const picture = async (name: string) => {
    if (readme !== undefined) await page.screenshot({ path: join(readme, `${name}.png`), animations: "disabled" })
  }

  return { ...tab, look, order, picture }
}

/** Playwright bounds no evaluation: a browser that stopped answering would fail the test by its time limit, without a name. */
const within = <A>(what: string, work: Promise<A>): Promise<A> =>
  Promise.race([
    work,
    setTimeout(60_000, undefined, { ref: false }).then(() => {
      throw new Error(`waited in vain until ${what}`)
    })
  ])

const takePicture = async (page: Page, name: string, fullPage = true) => {
  if (folder === undefined) return
  // A page that is drawn anew in another width takes its time, and one that is far from the screen is not drawn.
  if (await page.locator(".sheet").count() > 0) {
    await page.locator("canvas").first().waitFor({ timeout: 2_000 }).catch(() => {})
  }
  const file = `${name.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "")}.png`
  await page.screenshot({ path: join(folder, file), fullPage, animations: "disabled" })
}

const sideways = async (page: Page) => [...await page.evaluate(sticksOut), ...await page.evaluate(cutTexts)]

/** As a person does who sets it in the browser: media queries in `rem` follow, which a style of the page could not make them. */
const withLargeText = async (tools: CDPSession, look: () => Promise<void>) => {
  await tools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } })
  await look()
  await tools.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } })
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** Only these look at colours; the rest of the page is the same in the dark. */
const ofColours = ["color-contrast", "link-in-text-block"]

/**
 * What axe finds. It does not look into the frames of what comes from outside: their sandbox runs no script, axe's neither, and what they
 * show was written anew from a short list of plain elements.
 */
const violations = async (tools: CDPSession, coloursAlone: boolean): Promise<ReadonlyArray<string>> => {
  // Through the debugger, to which the page's policies (script-src, Trusted Types) do not apply.
  const evaluate = async (expression: string) => {
    const { exceptionDetails, result } = await within(
      "axe has looked",
      tools.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })
    )
    assert.isUndefined(exceptionDetails, JSON.stringify(exceptionDetails))
    return result.value
  }
  if (!await evaluate("\"axe\" in globalThis")) await evaluate(`${axe.source};0`)
  const options: axe.RunOptions = {
    runOnly: coloursAlone ? { type: "rule", values: ofColours } : { type: "tag", values: tags },
    rules: coloursAlone ? {} : { "target-size": { enabled: true } },
    resultTypes: ["violations"],
    iframes: false
  }
  const found: axe.AxeResults["violations"] = JSON.parse(
    await evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations))`)
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary = "", target }) =>
      `${id} ${target.join(" ")} ${failureSummary.replaceAll(/\s+/g, " ")}`
    )
  )
}
