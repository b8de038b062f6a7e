import { lazy, Suspense, useEffect, useSyncExternalStore } from "react"
import { Button } from "../shared/ui/Button.tsx"
import { Dialog } from "../shared/ui/Dialog.tsx"
import { Guard } from "../shared/ui/Guard.tsx"
import { Heading } from "../shared/ui/Heading.tsx"
import { Loading } from "../shared/ui/Loading.tsx"
import { Offline } from "../shared/ui/Offline.tsx"
import { Page } from "../shared/ui/Page.tsx"
import { Trouble } from "../shared/ui/Trouble.tsx"
import { ConfirmArea } from "./confirm/ConfirmArea.tsx"
import { Connect } from "./screens/Connect.tsx"
import { Locked } from "./screens/Locked.tsx"
import { Pair } from "./screens/Pair.tsx"
import { SessionContext } from "./session/Session.ts"
import type { SessionKeeper } from "./session/SessionKeeper.ts"
import "./veteran.css"

/** The screens are separate files, so that the first screen does not wait for them. */
const loadSignedIn = () => import("./SignedIn.tsx").then(({ SignedIn }) => ({ default: SignedIn }))

const SignedIn = lazy(loadSignedIn)

/** The veteran's app: its screens or, before a sign-in, the step that leads to them. */
export const App = ({ keeper }: { readonly keeper: SessionKeeper }) => {
  const { standing, unfinished } = useSyncExternalStore(keeper.subscribe, keeper.state)
  // They load while the service is asked for the session.
  const isComing = standing.is === "starting" || standing.is === "unpaired"
  useEffect(() => {
    if (isComing) loadSignedIn().catch(() => {})
  }, [isComing])
  switch (standing.is) {
    case "starting":
      return <Opening>{standing.finishing ? "Finishing sign-in" : undefined}</Opening>
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
          <ConfirmArea>
            <Guard>
              <Suspense fallback={<Opening />}>
                <SignedIn refusal={standing.refusal} onForget={keeper.forgetDevice} />
              </Suspense>
            </Guard>
          </ConfirmArea>
          {standing.idle ? <StillThere onStay={keeper.stay} /> : null}
        </SessionContext>
      )
  }
}

const Opening = ({ children = "Opening your records" }: { readonly children?: string | undefined }) => (
  <Page narrow>
    <h1 className="spoken">Veteran Records</h1>
    <Loading>{children}</Loading>
  </Page>
)

const StillThere = ({ onStay }: { readonly onStay: () => void }) => (
  <Dialog title="Are you still there?" onCancel={onStay}>
    <p>For safety this app locks in 1 minute.</p>
    <div className="actions">
      <Button onClick={onStay}>Stay</Button>
    </div>
  </Dialog>
)
