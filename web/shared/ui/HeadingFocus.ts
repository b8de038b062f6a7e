/**
 * Moves the focus to the heading of the card around an element that is about to be removed, or to that of the step, so
 * that it is not lost (WCAG 2.4.3). In a long page the reader stays at the card.
 */
export const focusHeading = (near: Element) => {
  const card = near.closest("section")?.querySelector<HTMLElement>("h2[tabindex]")
  const heading = card ?? document.querySelector<HTMLElement>("h1")
  heading?.focus()
}
