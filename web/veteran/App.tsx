import { useSyncExternalStore } from "react"
import { Button } from "../shared/ui/Button.tsx"
import { Dialog } from "../shared/ui/Dialog.tsx"
import { Heading } from "../shared/ui/Heading.tsx"
import { Loading } from "../shared/ui/Loading.tsx"
import { Offline } from "../shared/ui/Offline.tsx"
import { Page } from "../shared/ui/Page.tsx"
import { Trouble } from "../shared/ui/Trouble.tsx"
import { Connect } from "./screens/Connect.tsx"
import { Locked } from "./screens/Locked.tsx"
import { Pair } from "./screens/Pair.tsx"
import { SessionContext } from "./session/Session.ts"
import type { SessionKeeper } from "./session/SessionKeeper.ts"
import { SignedIn } from "./SignedIn.tsx"
import "./veteran.css"

/** The veteran's app: its screens or, before a sign-in, the step that leads to them. */
export const App = ({ keeper }: { readonly keeper: SessionKeeper }) => {
  const { standing, unfinished } = useSyncExternalStore(keeper.subscribe, keeper.state)
  switch (standing.is) {
    case "starting":
      return (
        <Page narrow>
          <h1 className="spoken">Veteran Records</h1>
          <Loading>{standing.finishing ? "Finishing sign-in" : "Opening your records"}</Loading>
        </Page>
      )
    case "unreached":
      return (
        <Page narrow>
          <section className="card stack">
            <Heading>Your records can't be opened now</Heading>
            <Offline />
            <Trouble problem={standing.problem} again={keeper.resume} />
          </section>
        </Page>
      )
    case "unknown":
      return (
        <Page narrow>
          <Connect refusal={standing.refusal} unfinished={unfinished} />
        </Page>
      )
    case "unpaired":
      return (
        <Page narrow>
          <Pair
            key={standing.pairingId}
            pairingId={standing.pairingId}
            onPaired={keeper.signedIn}
            onLeft={keeper.leave}
          />
        </Page>
      )
    case "locked":
      return (
        <Page narrow>
          <Locked
            ending={standing.ending}
            refusal={standing.refusal}
            unfinished={unfinished}
            onForget={keeper.forgetDevice}
          />
        </Page>
      )
    case "signedIn":
      return (
        <SessionContext value={standing.session}>
          <SignedIn refusal={standing.refusal} onForget={keeper.forgetDevice} />
          {standing.idle ? <StillThere onStay={keeper.stay} /> : null}
        </SessionContext>
      )
  }
}

const StillThere = ({ onStay }: { readonly onStay: () => void }) => (
  <Dialog title="Are you still there?" onCancel={onStay}>
    <p>For safety this app locks in 1 minute.</p>
    <div className="actions">
      <Button onClick={onStay}>Stay</Button>
    </div>
  </Dialog>
)
