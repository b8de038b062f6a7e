import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from "react"
import { Guard } from "../shared/ui/Guard.tsx"
import { Heading } from "../shared/ui/Heading.tsx"
import { LanguageSwitch } from "../shared/ui/LanguageSwitch.tsx"
import { Loading } from "../shared/ui/Loading.tsx"
import { Offline } from "../shared/ui/Offline.tsx"
import { Page } from "../shared/ui/Page.tsx"
import { Question } from "../shared/ui/Question.tsx"
import { Trouble } from "../shared/ui/Trouble.tsx"
import { ConfirmArea } from "./confirm/ConfirmArea.tsx"
import { useConnectWords } from "./connect/Words.ts"
import { chooseLanguage } from "./language/AppLanguage.ts"
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
  const words = useConnectWords()
  const { isIdle, standing, unfinished } = useSyncExternalStore(keeper.subscribe, keeper.state)
  // They load while the service is asked for the session.
  const isComing = standing.is === "starting" || standing.is === "unpaired"
  useEffect(() => {
    if (isComing) loadSignedIn().catch(() => {})
  }, [isComing])
  switch (standing.is) {
    case "starting":
      return <Opening>{standing.finishing ? words.finishing : undefined}</Opening>
    case "unreached":
      return (
        <Before>
          <section className="card stack">
            <Heading>{words.unreached}</Heading>
            <Offline />
            <Trouble problem={standing.problem} again={keeper.resume} />
          </section>
        </Before>
      )
    case "unknown":
      return (
        <Before>
          <Connect refusal={standing.refusal} unfinished={unfinished} onOpen={keeper.signedIn} />
        </Before>
      )
    case "unpaired":
      return (
        <Before>
          <Pair
            key={standing.pairingId}
            pairingId={standing.pairingId}
            onPaired={keeper.signedIn}
            onLeft={keeper.leave}
          />
        </Before>
      )
    case "locked":
      return (
        <Before>
          <Locked
            ending={standing.ending}
            refusal={standing.refusal}
            unfinished={unfinished}
            onForget={keeper.forgetDevice}
            onOpen={keeper.signedIn}
          />
        </Before>
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
          {isIdle ? <StillThere onStay={keeper.stay} /> : null}
        </SessionContext>
      )
  }
}

const Opening = ({ children }: { readonly children?: string | undefined }) => {
  const words = useConnectWords()
  return (
    <Page narrow>
      <h1 className="spoken">{words.brand}</h1>
      <Loading>{children ?? words.opening}</Loading>
    </Page>
  )
}

/** A page before the app is open, with the choice of a language. */
const Before = ({ children }: { readonly children: ReactNode }) => (
  <Page narrow languages={<LanguageSwitch onChoice={chooseLanguage} />}>{children}</Page>
)

const StillThere = ({ onStay }: { readonly onStay: () => void }) => {
  const { idle } = useConnectWords()
  return (
    <Question title={idle.title} keep={[idle.stay, onStay]}>
      <p>{idle.text}</p>
    </Question>
  )
}
