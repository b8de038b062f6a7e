import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react"
import { hasDrafts } from "../shared/Drafts.ts"
import { useTitle } from "../shared/Title.ts"
import { Guard } from "../shared/ui/Guard.tsx"
import { Heading } from "../shared/ui/Heading.tsx"
import { Loading } from "../shared/ui/Loading.tsx"
import { Offline } from "../shared/ui/Offline.tsx"
import { Page } from "../shared/ui/Page.tsx"
import { Question } from "../shared/ui/Question.tsx"
import { Trouble } from "../shared/ui/Trouble.tsx"
import { addressOf, type Route, useRoute } from "./Route.ts"
import { Patients } from "./screens/Patients.tsx"
import { endingWords, SignedOut } from "./screens/SignedOut.tsx"
import { SignIn } from "./screens/SignIn.tsx"
import { type Session, SessionContext } from "./session/Session.ts"
import type { SessionKeeper } from "./session/SessionKeeper.ts"

/**
 * These screens are separate files, so the sign-in does not wait for them. They load in the background after the
 * sign-in.
 */
const screens = {
  deskCodes: () => import("./screens/DeskCodes.tsx").then(({ DeskCodes }) => ({ default: DeskCodes })),
  password: () => import("./screens/ChangePassword.tsx").then(({ ChangePassword }) => ({ default: ChangePassword })),
  record: () => import("./screens/Record.tsx").then(({ Record }) => ({ default: Record })),
  document: () => import("./screens/Document.tsx").then(({ Document }) => ({ default: Document }))
}

const DeskCodes = lazy(screens.deskCodes)

const ChangePassword = lazy(screens.password)

const Record = lazy(screens.record)

const Document = lazy(screens.document)

/** Shows the sign-in or, once signed in, the screen of the address. */
export const SignedIn = ({ keeper }: { readonly keeper: SessionKeeper }) => {
  const { isIdle, standing, unfinished } = useSyncExternalStore(keeper.subscribe, keeper.state)
  switch (standing.is) {
    case "resuming":
      return (
        <Page narrow>
          <h1 className="spoken">Shared health records</h1>
          <Loading>Signing you in</Loading>
        </Page>
      )
    case "unresumed":
      return (
        <Page narrow>
          <Heading>Shared health records</Heading>
          <Offline />
          <Trouble problem={standing.problem} again={keeper.resume} />
        </Page>
      )
    case "signedOut":
      return (
        <Page narrow>
          <SignIn
            onSignedIn={keeper.signedIn}
            reason={standing.ending === undefined ? undefined : endingWords[standing.ending]}
            refusal={standing.refusal}
            unfinished={unfinished}
          />
        </Page>
      )
    case "ended":
      return <SignedOut ending={standing.ending} onAgain={keeper.signInAgain} />
    case "signedIn":
      return (
        <SessionContext value={standing.session}>
          <Screen session={standing.session} />
          {isIdle ? <StillThere onStay={keeper.stay} /> : null}
        </SessionContext>
      )
  }
}

const titles: Readonly<globalThis.Record<Route["screen"], string>> = {
  patients: "Patients",
  deskCodes: "Desk codes",
  password: "Change password",
  record: "Patient record",
  document: "Shared document"
}

const Screen = ({ session }: { readonly session: Session }) => {
  const route = useRoute()
  const [asked, setAsked] = useState(false)
  const [search, setSearch] = useState("")
  useTitle(titles[route.screen])
  useEffect(() => {
    for (const load of Object.values(screens)) load().catch(() => {})
  }, [])
  const way = (screen: "patients" | "deskCodes" | "password") => (
    <a href={addressOf({ screen })} {...(route.screen === screen ? { "aria-current": "page" } : {})}>
      {titles[screen]}
    </a>
  )
  const navigation = (
    <nav aria-label="Main">
      {way("patients")}
      {way("deskCodes")}
      <span>{session.provider.displayName}, {session.provider.organization}</span>
      {way("password")}
      <button type="button" className="link" onClick={() => hasDrafts() ? setAsked(true) : session.signOut()}>
        Sign out
      </button>
    </nav>
  )
  return (
    <Page navigation={navigation}>
      <Guard key={addressOf(route)}>
        <Suspense fallback={<Loading />}>
          {route.screen === "patients"
            ? <Patients search={search} onSearch={setSearch} />
            : route.screen === "deskCodes"
            ? <DeskCodes />
            : route.screen === "password"
            ? <ChangePassword />
            : route.screen === "record"
            ? <Record veteranId={route.veteranId} />
            : <Document veteranId={route.veteranId} documentId={route.documentId} />}
        </Suspense>
      </Guard>
      {asked
        ? (
          <Question
            title="Your note is not saved"
            keep={["Go back", () => setAsked(false)]}
            go={["Sign out", session.signOut]}
          >
            <p>If you sign out now, what you wrote is gone.</p>
          </Question>
        )
        : null}
    </Page>
  )
}

const StillThere = ({ onStay }: { readonly onStay: () => void }) => (
  <Question title="Are you still there?" keep={["Stay signed in", onStay]}>
    <p>For safety we will sign you out in 2 minutes.</p>
  </Question>
)
