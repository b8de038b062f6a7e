import { useTitle } from "../../shared/Title.ts"
import { Page } from "../../shared/ui/Page.tsx"
import { Question } from "../../shared/ui/Question.tsx"
import type { Ending } from "../session/SessionKeeper.ts"

/** Shown if the session ended while the portal was in use. Nothing of a record is left on the page. */
export const SignedOut = ({ ending, onAgain }: { readonly ending: Ending; readonly onAgain: () => void }) => {
  useTitle("Signed out")
  return (
    <Page narrow>
      <h1 className="spoken">Signed out</h1>
      <Question title="You were signed out" keep={["Sign in again", onAgain]}>
        <p>{endingWords[ending]}</p>
        <p>Sign in to continue where you were.</p>
      </Question>
    </Page>
  )
}

/**
 * The words for each ending. If an administrator ended the session, the ending is `unknown`, because the service does
 * not report the reason.
 */
export const endingWords: Readonly<Record<Ending, string>> = {
  time: "You were signed out after 12 hours.",
  idle: "You were signed out after 30 minutes without use.",
  elsewhere: "You were signed out in another window.",
  unknown: "For safety we signed you out."
}
