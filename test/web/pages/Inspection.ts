import type axe from "axe-core"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core"
import { assert, onTestFinished } from "vitest"
import { openTab, type Tab } from "../Browser.ts"
import { focusOrder } from "./FocusOrder.ts"
import { cutTexts, sticksOut } from "./Overflow.ts"

/** A page reads the small form in half of the time. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** The folder for pictures of all states, for a person to look at. */
const folder = process.env["PICTURES"]

/** The folder for README's pictures. */
const readme = process.env["README_PICTURES"]

/** Widths in pixels, each with the height of a common screen. */
const wide = { width: 1280, height: 900 }
const tablet = { width: 768, height: 1024 }
export const narrow = { width: 360, height: 740 }

/** WCAG 1.4.10: nothing scrolls sideways at 320 pixels. */
const narrowest = { width: 320, height: 640 }

/** The ways to see a state besides the wide page in light colors. */
const further = [
  { media: "dark", viewport: wide },
  { media: "print", viewport: wide },
  { media: "dark", viewport: narrow },
  { media: "dark", viewport: tablet }
] as const

/** A tab whose states are inspected one after another. The test fails with all findings. */
export interface Inspection extends Tab {
  /**
   * Inspects the page's present state. Axe looks in the first of these widths and in one more way, dark or printed.
   * Overflow is looked for in each width, at 320 pixels and with large text.
   */
  readonly look: (state: string, viewports?: ReadonlyArray<typeof wide>) => Promise<void>
  /**
   * Inspects a state that differs only by its words, such as its language, from one that `look` inspects. Words change
   * names and overflow, but no colors.
   */
  readonly lookAtWords: (state: string) => Promise<void>
  /**
   * Returns the Tab stops from the start of the page to its end, with the role and name that assistive technology gets.
   */
  readonly order: () => Promise<ReadonlyArray<string>>
  /** Writes a picture for README if `README_PICTURES` is set. */
  readonly picture: (name: string) => Promise<void>
}

export const openInspection = async (
  browser: Browser,
  options: BrowserContextOptions = {}
): Promise<Inspection> => {
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

  const contexts = new Map<string, number>()
  tools.on("Runtime.executionContextCreated", ({ context }) => {
    const { frameId, isDefault }: { frameId?: string; isDefault?: boolean } = context.auxData ?? {}
    if (isDefault === true && frameId !== undefined) contexts.set(frameId, context.id)
  })
  await tools.send("Runtime.enable")

  /** The place for scripts in the sandboxed frame that shows what a link opened, if it is shown. */
  const shownFrame = async () => {
    if (!await page.locator("iframe.release").isVisible()) return undefined
    const { frameTree: { childFrames = [] } } = await tools.send("Page.getFrameTree")
    return contexts.get(childFrames.find(({ frame }) => frame.url.endsWith("/frame"))!.frame.id)
  }

  const note = (state: string, found: ReadonlyArray<string>, how: string) =>
    findings.push(...found.map((finding) => `${state}, ${how}: ${finding}`))

  const judge = async (state: string, how: string, rules: Rules) => {
    await settle()
    note(state, await violations(tools, rules), how)
    const context = await shownFrame()
    if (context !== undefined) note(state, await violations(tools, rules, context), `${how}, in the frame`)
  }

  const lookLight = async (state: string, viewports: ReadonlyArray<typeof wide>, rules: Rules) => {
    for (const viewport of viewports) {
      await page.setViewportSize(viewport)
      if (viewport === viewports[0]) await judge(state, `${viewport.width} light`, rules)
      else await settle()
      note(state, await sideways(page), `${viewport.width}`)
    }
    await withLargeText(tools, async () => {
      await settle()
      const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
      assert.strictEqual(size, "32px")
      note(state, await sideways(page), `${viewports.at(-1)!.width}, text at 200 %`)
    })
    await page.setViewportSize(narrowest)
    await settle()
    note(state, await sideways(page), `${narrowest.width}`)
  }

  const look = async (state: string, viewports: ReadonlyArray<typeof wide> = [wide, narrow]) => {
    await lookLight(state, viewports, "all")
    // Each state is seen in one more way, chosen by its name: all ways are tried on some states, but not on each.
    const { media, viewport } = further[state.length % further.length]!
    await page.setViewportSize(viewport)
    await page.emulateMedia({
      colorScheme: media === "dark" ? "dark" : "light",
      media: media === "print" ? media : null
    })
    await judge(state, `${viewport.width} ${media}`, media === "dark" ? "colors" : "all")
    if (media === "dark") note(state, await sideways(page), `${viewport.width} ${media}`)
    await leave(state)
  }

  const lookAtWords = async (state: string) => {
    await lookLight(state, [wide, narrow], "words")
    await leave(state)
  }

  /** Leaves a state as it was found. */
  const leave = async (state: string) => {
    if (folder !== undefined) await takePictures(state)
    await page.setViewportSize(wide)
    await page.emulateMedia({ colorScheme: "light", media: null })
    await settle()
  }

  /** Takes a picture of the state in each width and color, and with large text. */
  const takePictures = async (state: string) => {
    for (const viewport of [wide, tablet, narrow]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme, media: null })
        await settle()
        await takePicture(page, `${state}, ${viewport.width} ${colorScheme}`)
      }
      // A full-page picture changes the window's size, and Chromium then forgets the text size. The window is therefore
      // made high before the text is enlarged.
      await page.setViewportSize({ width: viewport.width, height: 4_000 })
      await withLargeText(tools, () => takePicture(page, `${state}, ${viewport.width} large`, false))
    }
  }

  const order = () => focusOrder(page, tools)

  const picture = async (name: string) => {
    if (readme !== undefined) await page.screenshot({ path: join(readme, `${name}.png`), animations: "disabled" })
  }

  return { ...tab, look, lookAtWords, order, picture }
}

/**
 * Playwright sets no time limit for evaluations. If a browser stopped answering, the test would time out without naming
 * the step that hung.
 */
const within = <A>(what: string, work: Promise<A>): Promise<A> =>
  Promise.race([
    work,
    setTimeout(60_000, undefined, { ref: false }).then(() => {
      throw new Error(`waited in vain until ${what}`)
    })
  ])

const takePicture = async (page: Page, name: string, fullPage = true) => {
  // Waits until a page of a PDF is drawn again at the new width. Pages far from the visible part are not drawn, so the
  // wait may end without one.
  if (await page.locator(".sheet").count() > 0) {
    await page.locator("canvas").first().waitFor({ timeout: 2_000 }).catch(() => {})
  }
  const file = `${name.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "")}.png`
  await page.screenshot({ path: join(folder!, file), fullPage, animations: "disabled" })
}

const sideways = async (page: Page) => {
  const frames = page.frames().filter((frame) => frame === page.mainFrame() || frame.url().endsWith("/frame"))
  const found = frames.map(async (
    frame
  ) => [...await frame.evaluate(sticksOut), ...await frame.evaluate(cutTexts, "body")])
  return (await Promise.all(found)).flat()
}

/**
 * Enlarges the text as a person does in the browser's settings. Unlike a style in the page, this setting also affects
 * media queries in `rem`.
 */
const withLargeText = async (tools: CDPSession, look: () => Promise<void>) => {
  await tools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } })
  await look()
  await tools.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } })
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** The only axe rules that look at colors. In dark mode, these alone are checked again. */
const ofColors = ["color-contrast", "link-in-text-block"]

/** Which of axe's rules a look needs. */
type Rules = "all" | "colors" | "words"

const optionsOf: Readonly<Record<Rules, axe.RunOptions>> = {
  all: { runOnly: { type: "tag", values: tags }, rules: { "target-size": { enabled: true } } },
  colors: { runOnly: { type: "rule", values: ofColors } },
  words: {
    runOnly: { type: "tag", values: tags },
    rules: {
      "target-size": { enabled: true },
      ...Object.fromEntries(ofColors.map((rule) => [rule, { enabled: false }]))
    }
  }
}

/**
 * The violations that axe finds. Frames of foreign content are not checked, because their sandbox runs no script. These
 * frames contain only a few kinds of plain elements.
 */
const violations = async (
  tools: CDPSession,
  rules: Rules,
  contextId?: number
): Promise<ReadonlyArray<string>> => {
  // The debugger is exempt from the page's policies (script-src, Trusted Types), so it can run axe.
  const evaluate = async (expression: string) => {
    const { exceptionDetails, result } = await within(
      "axe has looked",
      tools.send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
        ...(contextId === undefined ? {} : { contextId })
      })
    )
    assert.isUndefined(exceptionDetails, JSON.stringify(exceptionDetails))
    return result.value
  }
  if (!await evaluate("\"axe\" in globalThis")) await evaluate(`${axeSource};0`)
  const options: axe.RunOptions = { ...optionsOf[rules], resultTypes: ["violations"], iframes: false }
  const found: axe.AxeResults["violations"] = JSON.parse(
    await evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations))`)
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary = "", target }) =>
      `${id} ${target.join(" ")} ${failureSummary.replaceAll(/\s+/g, " ")}`
    )
  )
}
