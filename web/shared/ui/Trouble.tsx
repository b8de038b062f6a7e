import { useWords } from "../language/Language.ts"
import type { Problem } from "../Problem.ts"
import { problemWords } from "../Words.ts"
import { Button } from "./Button.tsx"
import { focusHeading } from "./HeadingFocus.ts"
import { Notice } from "./Notice.tsx"

/** Says why something could not be done, and offers to try again if that may help. */
export const Trouble = ({ again, problem }: { readonly problem: Problem; readonly again?: () => void }) => {
  const { tryAgain } = useWords()
  const words = problemWords(problem)
  return (
    <Notice kind="error" live title={words.title}>
      <p>{words.text}</p>
      {again !== undefined && words.again
        ? (
          <div className="actions">
            <Button
              kind="outline"
              onClick={({ currentTarget }) => {
                focusHeading(currentTarget)
                again()
              }}
            >
              {tryAgain}
            </Button>
          </div>
        )
        : null}
    </Notice>
  )
}
