import type { ReactNode } from "react"
import { LanguageSwitch } from "../shared/ui/LanguageSwitch.tsx"
import { Page } from "../shared/ui/Page.tsx"
import { useFrameWords } from "./frame/Words.ts"
import { chooseLanguage } from "./language/AppLanguage.ts"
import { addressOf, type Route } from "./Route.ts"
import "./veteran.css"

const tabs = [
  { screen: "home", icon: "M3 11 12 4l9 7M6 9v11h12V9" },
  { screen: "record", icon: "M6 3h9l4 4v14H6ZM9 12h7M9 16h7" },
  { screen: "sharing", icon: "M8 11a3 3 0 1 0 0-.1M16 8a3 3 0 1 0 0-.1M2 20c0-4 12-4 12 0M15 14c4 0 7 1 7 4" },
  { screen: "looks", icon: "M2 12c5-8 15-8 20 0-5 8-15 8-20 0ZM12 12m-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0" }
] as const

type Tab = typeof tabs[number]["screen"]

/** The tab under which a screen stands. */
const tabOf: Readonly<Partial<Record<Route["screen"], Tab>>> = {
  home: "home",
  record: "record",
  complete: "record",
  words: "record",
  sharing: "sharing",
  documents: "sharing",
  looks: "looks"
}

/** The screens that are steps of one act: they have no tabs. */
const acts = new Set<Route["screen"]>(["share", "release", "link", "confirm"])

/** The frame of a screen: bar, main part, and the tabs. The steps of an act hide the tabs: one way on, one back. */
export const Frame = ({ children, screen }: { readonly children: ReactNode; readonly screen: Route["screen"] }) => {
  const current = tabOf[screen]
  return (
    <Page
      narrow
      navigation={<Navigation screen={screen} current={current} hasTabs={!acts.has(screen)} />}
      languages={<LanguageSwitch onChoice={chooseLanguage} />}
    >
      {children}
    </Page>
  )
}

const Navigation = ({ current, hasTabs, screen }: {
  readonly current: Tab | undefined
  readonly hasTabs: boolean
  readonly screen: Route["screen"]
}) => {
  const words = useFrameWords()
  return (
    <>
      {hasTabs
        ? (
          <nav className="tabs-below" aria-label={words.main}>
            {tabs.map(({ icon, screen }) => (
              <a key={screen} href={addressOf({ screen })} {...(screen === current ? { "aria-current": "page" } : {})}>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d={icon} />
                </svg>
                {words.tabs[screen]}
              </a>
            ))}
          </nav>
        )
        : null}
      <nav className="account" aria-label={words.titles.account}>
        <a href={addressOf({ screen: "account" })} {...(screen === "account" ? { "aria-current": "page" } : {})}>
          {words.titles.account}
        </a>
      </nav>
    </>
  )
}
