import { lazy, Suspense, useLayoutEffect, useRef, useState } from "react"
import type { Problem } from "../shared/Problem.ts"
import { useTitle } from "../shared/Title.ts"
import { Guard } from "../shared/ui/Guard.tsx"
import { Loading } from "../shared/ui/Loading.tsx"
import { Deletion } from "./account/Deletion.tsx"
import { Refusal } from "./connect/ToVa.tsx"
import { Frame } from "./Frame.tsx"
import { useFrameWords } from "./frame/Words.ts"
import { addressOf, type Route, useRoute } from "./Route.ts"
import { Home } from "./screens/Home.tsx"

/** These screens are separate files, so that the first screen does not wait for them. */
const Account = lazy(() => import("./screens/Account.tsx").then(({ Account }) => ({ default: Account })))

const Complete = lazy(() => import("./screens/Complete.tsx").then(({ Complete }) => ({ default: Complete })))

const Confirm = lazy(() => import("./screens/Confirm.tsx").then(({ Confirm }) => ({ default: Confirm })))

const Documents = lazy(() => import("./screens/Documents.tsx").then(({ Documents }) => ({ default: Documents })))

const Link = lazy(() => import("./screens/Link.tsx").then(({ Link }) => ({ default: Link })))

const Looks = lazy(() => import("./screens/Looks.tsx").then(({ Looks }) => ({ default: Looks })))

const Record = lazy(() => import("./screens/Record.tsx").then(({ Record }) => ({ default: Record })))

const Release = lazy(() => import("./screens/Release.tsx").then(({ Release }) => ({ default: Release })))

const Share = lazy(() => import("./screens/Share.tsx").then(({ Share }) => ({ default: Share })))

const Sharing = lazy(() => import("./screens/Sharing.tsx").then(({ Sharing }) => ({ default: Sharing })))

const Update = lazy(() => import("./screens/Update.tsx").then(({ Update }) => ({ default: Update })))

const Words = lazy(() => import("./screens/Words.tsx").then(({ Words }) => ({ default: Words })))

/** The screen of the address, for a veteran who is signed in. */
export const SignedIn = ({ onForget, refusal }: {
  readonly onForget: () => void
  /** Why a sign-in at the VA failed that began in this session, such as for an update. */
  readonly refusal?: Problem | undefined
}) => {
  const route = useRoute()
  const address = addressOf(route)
  const [first] = useState(address)
  useShownFromTop(route.screen)
  // A title has the screen's name alone, because it reaches the browser's history.
  useTitle(useFrameWords().titles[route.screen])
  return (
    <Frame screen={route.screen}>
      {refusal !== undefined && address === first ? <Refusal of={refusal} /> : null}
      <Deletion address={address}>
        {/* The record stays open from step to step. */}
        <Guard key={route.screen === "record" ? route.screen : address}>
          <Suspense fallback={<Loading />}>
            <Screen route={route} onForget={onForget} />
          </Suspense>
        </Guard>
      </Deletion>
    </Frame>
  )
}

/** What stands above the heading, such as a deletion that waits, must not begin out of sight. */
const useShownFromTop = (screen: Route["screen"]) => {
  const shown = useRef(screen)
  useLayoutEffect(() => {
    if (shown.current !== screen) scrollTo(0, 0)
    shown.current = screen
  }, [screen])
}

const Screen = ({ onForget, route }: { readonly route: Route; readonly onForget: () => void }) => {
  switch (route.screen) {
    case "home":
      return <Home />
    case "update":
      return <Update />
    case "record":
      return <Record />
    case "complete":
      return <Complete />
    case "words":
      return <Words />
    case "sharing":
      return <Sharing />
    case "share":
      return <Share {...route} />
    case "release":
      return <Release {...route} />
    case "link":
      return <Link document={route.document} />
    case "documents":
      return <Documents />
    case "confirm":
      return <Confirm />
    case "looks":
      return <Looks by={route.by} />
    case "account":
      return <Account onForget={onForget} />
  }
}
