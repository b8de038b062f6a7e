/**
 * Words that every English sentence has some of, and no Spanish one. A name of a product or a person has none of them.
 */
const english = /\b(?:the|your|you|we|is|are|and|of|to|with|from|not|this|that|was|can't|don't)\b/i

/** The texts of a page in Spanish that are in English and not marked as English. It runs in the page. */
const textsIn = (): ReadonlyArray<string> => {
  const isMarked = (element: Element | null) =>
    element?.closest("[lang]")?.getAttribute("lang")?.startsWith("en") === true
  const texts: Array<string> = []
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (parent?.closest("script, style, noscript") === null && !isMarked(parent)) texts.push(node.textContent ?? "")
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!isMarked(element)) texts.push(element.getAttribute(name)!)
    }
  }
  return texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "")
}

/** Returns the English texts that a reader of Spanish meets, and that no `lang` marks (WCAG 3.1.2). */
export const englishLeft = async (page: { evaluate: <A>(run: () => A) => Promise<A> }) =>
  (await page.evaluate(textsIn)).filter((text) => english.test(text))
