import { useWords } from "../language/Language.ts"
import type { Problem } from "../Problem.ts"
import { problemWords } from "../Words.ts"
import { Action } from "./Button.tsx"
import { Notice } from "./Notice.tsx"

/** Says why something could not be done, and offers to try again if that may help. */
export const Trouble = ({ again, problem }: {
  /** Without one, nothing is said. */
  readonly problem: Problem | undefined
  readonly again?: () => void
}) => {
  const { tryAgain } = useWords()
  if (problem === undefined) return null
  const words = problemWords(problem)
  return (
    <Notice kind="error" live title={words.title}>
      <p>{words.text}</p>
      {again !== undefined && words.again
        ? (
          <Action
            kind="outline"
            onClick={({ currentTarget }) => {
              focusHeading(currentTarget)
              again()
            }}
          >
            {tryAgain}
          </Action>
        )
        : null}
    </Notice>
  )
}

/**
 * Moves the focus from an element that is about to be removed, so that it is not lost (WCAG 2.4.3). It goes to the
 * heading of the card around it if that takes the focus, or else to that of the step.
 */
const focusHeading = (near: Element) => {
  const card = near.closest("section")?.querySelector<HTMLElement>("h2[tabindex]")
  const heading = card ?? document.querySelector<HTMLElement>("h1")
  heading?.focus()
}
