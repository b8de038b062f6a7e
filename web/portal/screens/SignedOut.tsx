import { useTitle } from "../../shared/Title.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Dialog } from "../../shared/ui/Dialog.tsx"
import { Page } from "../../shared/ui/Page.tsx"
import type { Ending } from "../SessionKeeper.ts"
import { signInAgain } from "../SessionKeeper.ts"

/** The session ended while the portal was in use (A9). Nothing of a record is left on the page. */
export const SignedOut = ({ ending }: { readonly ending: Ending }) => {
  useTitle("Signed out")
  return (
    <Page narrow>
      <h1 className="spoken">Signed out</h1>
      <Dialog title="You were signed out" onCancel={signInAgain}>
        <p>{endingWords[ending]}</p>
        <p>Sign in to go on where you were.</p>
        <div className="actions">
          <Button onClick={signInAgain}>Sign in again</Button>
        </div>
      </Dialog>
    </Page>
  )
}

/** The service does not tell whether an administrator did it. */
export const endingWords: Readonly<Record<Ending, string>> = {
  time: "You were signed out after 12 hours.",
  idle: "You were signed out after 30 minutes without use.",
  elsewhere: "You were signed out in another window.",
  unknown: "For safety we signed you out."
}
