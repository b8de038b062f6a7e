import { hasDrafts } from "../../shared/Drafts.ts"
import { Question } from "../../shared/ui/Question.tsx"
import { useAccountWords } from "./Words.ts"

/** Asks before this device is forgotten. */
export const ForgetDevice = ({ onForget, onKeep }: {
  readonly onForget: () => void
  readonly onKeep: () => void
}) => {
  const { device: words } = useAccountWords()
  return (
    <Question title={words.question} keep={[words.keep, onKeep]} go={[words.forget, onForget]}>
      <p>{words.means}</p>
      {hasDrafts() ? <p>{words.loses}</p> : null}
    </Question>
  )
}
