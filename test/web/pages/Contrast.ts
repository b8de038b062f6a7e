import type { Locator } from "playwright-core"
import { assert } from "vitest"

/** What is left of an element's look where high-contrast colors drop its ground and its shadow. */
const looksOf = (elements: Locator) =>
  elements.evaluateAll((all) => {
    const isSeen = (color: string) => !/^(?:transparent|rgba\(.*, 0\))$/.test(color)
    return all.map((element) => {
      const { backgroundColor, borderTopColor, borderTopStyle, borderTopWidth } = getComputedStyle(element)
      const isFramed = borderTopStyle === "solid" && borderTopWidth !== "0px" && isSeen(borderTopColor) &&
        borderTopColor !== backgroundColor
      return { backgroundColor, borderTopStyle, borderTopWidth, isFramed, text: element.textContent }
    })
  })

/** Each of the elements, of which there is at least one, has a frame that can be seen. */
export const assertFramed = async (elements: Locator) => {
  const looks = await looksOf(elements)
  assert.isNotEmpty(looks)
  assert.deepStrictEqual(looks.filter(({ isFramed }) => !isFramed), [])
}

/** The color of what is selected, as the browser resolves it in the element's page. */
const highlightOf = (element: Locator) =>
  element.evaluate((element) => {
    const probe = element.appendChild(document.createElement("i"))
    Object.assign(probe.style, { forcedColorAdjust: "none", backgroundColor: "Highlight" })
    const { backgroundColor } = getComputedStyle(probe)
    probe.remove()
    return backgroundColor
  })

/** A pressed chip has a thick frame and the ground of what is selected. One that is not pressed has another ground. */
export const assertPressed = async (pressed: Locator, other: Locator) => {
  assert.strictEqual(await pressed.getAttribute("aria-pressed"), "true")
  assert.strictEqual(await other.getAttribute("aria-pressed"), "false")
  const [[look], [otherLook]] = await Promise.all([looksOf(pressed), looksOf(other)])
  const highlight = await highlightOf(pressed)
  assert.strictEqual(look!.borderTopStyle, "solid")
  assert.isAtLeast(Number.parseFloat(look!.borderTopWidth), 2)
  assert.strictEqual(look!.backgroundColor, highlight)
  assert.notStrictEqual(otherLook!.backgroundColor, highlight)
}
