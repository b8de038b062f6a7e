/**
 * Moves the focus from an element that is about to be removed, so that it is not lost (WCAG 2.4.3). It goes to the
 * heading of the card around it if that takes the focus, or else to that of the step.
 */
export const focusHeading = (near: Element) => {
  const card = near.closest("section")?.querySelector<HTMLElement>("h2[tabindex]")
  const heading = card ?? document.querySelector<HTMLElement>("h1")
  heading?.focus()
}
