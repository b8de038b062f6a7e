import type { CDPSession, Page } from "playwright-core"
import { assert } from "vitest"
import { until } from "../../support/Until.ts"

/** Ends an endless walk: none of our pages has this many Tab stops. */
const most = 150

/**
 * Walks with the Tab key from the start of the page, or of the open dialog, to its end. Each stop must be visible with
 * a focus mark (WCAG 2.4.7, 2.4.11). No control may be left out (2.1.1).
 */
export const focusOrder = async (page: Page, tools: CDPSession): Promise<ReadonlyArray<string>> => {
  await page.evaluate(begin)
  // Otherwise the browser would make the accessibility tree anew for each name.
  await tools.send("Accessibility.enable")
  const names: Array<string> = []
  for (;;) {
    await page.keyboard.press("Tab")
    let stop = await page.evaluate(arrive)
    // A date field has a stop for each of its parts.
    while (stop === "same date") {
      await page.keyboard.press("Tab")
      stop = await page.evaluate(arrive)
    }
    if (stop === null) break
    const { result } = await tools.send("Runtime.evaluate", { expression: "document.activeElement" })
    const { nodes } = await tools.send("Accessibility.getPartialAXTree", {
      objectId: result.objectId!,
      fetchRelatives: false
    })
    const name = `${nodes[0]?.role?.value} ${nodes[0]?.name?.value ?? ""}`.trimEnd()
    assert.isUndefined(stop.trouble, name)
    // If a frame gets the focus, the page learns it only after a delay.
    if (!stop.isMarked) await until(`the focus is seen on ${name}`, () => page.evaluate(isMarked), 2_000)
    names.push(name)
    assert.isBelow(names.length, most, names.join(", "))
  }
  await tools.send("Accessibility.disable")
  assert.deepStrictEqual(await page.evaluate(leftOut), [], "what the Tab key does not reach")
  return names
}

const begin = () => {
  Object.assign(globalThis, { stops: new Set<Element>() })
  scrollTo(0, 0)
  const start: HTMLElement = document.querySelector<HTMLElement>("dialog[open]") ?? document.body
  start.tabIndex = -1
  start.focus({ preventScroll: true })
  start.removeAttribute("tabindex")
}

/** Returns null at the end of the walk. Otherwise tells whether the stop is hidden, and whether it has a focus mark. */
const arrive = () => {
  const { stops } = globalThis as unknown as { readonly stops: Set<Element> }
  const stop = document.activeElement
  if (stop !== null && stop.matches("[type=date]") && [...stops].at(-1) === stop) return "same date" as const
  if (stop === null || stop === document.body || stop.matches("dialog") || stops.has(stop)) return null
  stops.add(stop)
  const { bottom, left, right, top } = stop.getBoundingClientRect()
  const [x, y, width, height] = [
    Math.max(0, left),
    Math.max(0, top),
    Math.min(innerWidth, right) - Math.max(0, left),
    Math.min(innerHeight, bottom) - Math.max(0, top)
  ]
  const places = [0.05, 0.3, 0.5, 0.7, 0.95]
  const isSeen = width > 0 && height > 0 && places.some((across) =>
    places.some((down) => {
      const hit = document.elementFromPoint(x + across * width, y + down * height)
      return hit !== null && stop.contains(hit)
    })
  )
  const { boxShadow, outlineStyle, outlineWidth } = getComputedStyle(stop)
  return {
    trouble: isSeen ? undefined : "is hidden where it has the focus",
    isMarked: (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none"
  }
}

const isMarked = () => {
  const { boxShadow, outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!)
  return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none"
}

const leftOut = () => {
  const { stops } = globalThis as unknown as { readonly stops: Set<Element> }
  const place = document.querySelector("dialog[open]") ?? document
  // The Tab key reaches only one radio button of a group. The arrow keys reach the others.
  const groups = new Set(
    Array.from(stops, (stop) => stop instanceof HTMLInputElement && stop.type === "radio" && stop.name)
  )
  const isInGroup = (element: HTMLElement) =>
    element instanceof HTMLInputElement && element.type === "radio" && groups.has(element.name)
  return [
    ...place.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, iframe, [tabindex]")
  ]
    .filter((element) =>
      element.tabIndex >= 0 && !element.matches(":disabled") && element.checkVisibility({ visibilityProperty: true }) &&
      !stops.has(element) && !isInGroup(element)
    ).map((element) => element.outerHTML.slice(0, 120))
}
