import type { Page } from "playwright-core"
import { assert } from "vitest"

const nameOfFocus = () => {
  const focused = document.activeElement
  const labels = focused instanceof HTMLInputElement ? [...focused.labels ?? []] : []
  return (focused?.getAttribute("aria-label") ?? labels.map(({ innerText }) => innerText).join(" ")) ||
    (focused?.textContent ?? "")
}

/** Presses Tab until the focus is on an element with this name. */
export const tabTo = async (page: Page, name: string) => {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press("Tab")
    if ((await page.evaluate(nameOfFocus)).trim() === name) return
  }
  assert.fail(`no Tab stop ${name}`)
}
