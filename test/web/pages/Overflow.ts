/** These functions run in the page. */

/** Elements that make the page scroll sideways. */
export const sticksOut = (): ReadonlyArray<string> => {
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const isOut = (element: Element) => element.getBoundingClientRect().right > clientWidth + 0.5
  const elements = [...document.querySelectorAll("body *")].filter(isOut)
  const innermost = elements.filter((element) => ![...element.children].some(isOut))
  return [
    `scrolls sideways, ${scrollWidth} in ${clientWidth}: ${
      innermost.slice(0, 3).map((element) => element.outerHTML.slice(0, 120)).join(" ")
    }`
  ]
}

/**
 * Text that is cut off at the side of its box, where nobody can scroll to it. Not counted: charts, fields, and text
 * that only screen readers read. A field scrolls with the caret, and the name of a chosen file is also shown elsewhere.
 */
export const cutTexts = (where: string): ReadonlyArray<string> =>
  [...document.querySelectorAll(`:is(${where}) *`)].filter((element) => {
    const { clipPath, overflowX } = getComputedStyle(element)
    return (overflowX === "hidden" || overflowX === "clip") && clipPath === "none" &&
      element.scrollWidth > element.clientWidth + 1 && element.closest(".words, svg, .u-wrap, input") === null
  }).map((element) => `cuts its text: ${element.outerHTML.slice(0, 160)}`)
