import type { ReactNode } from "react"
import { useWords } from "../language/Language.ts"

/**
 * The frame of a page: bar, main part, and a footer that says we are not VA (38 CFR 1.9 reserves VA's name and seal).
 */
export const Page = (
  { children, narrow = false, navigation, languages }: {
    readonly children: ReactNode
    readonly narrow?: boolean
    readonly navigation?: ReactNode
    /** The choice of a language, at the end of the page. */
    readonly languages?: ReactNode
  }
) => (
  <>
    <Bar>{navigation}</Bar>
    <main id="main" tabIndex={-1} className={narrow ? "narrow" : ""}>{children}</main>
    <footer>
      {useWords().notVa}
      {languages}
    </footer>
  </>
)

/** The head of every page, with a link that skips it. `children` is the navigation. */
const Bar = ({ children }: { readonly children?: ReactNode }) => (
  <>
    <a className="usa-skipnav" href="#main" onClick={skip}>{useWords().skip}</a>
    <header className="bar">
      <div>
        <span className="brand">
          <Mark />
          Veteran Records
        </span>
        {children}
      </div>
    </header>
  </>
)

/** The page keeps its route after `#` in the address. A plain link to `#main` would overwrite the route. */
const skip = (event: { preventDefault: () => void }) => {
  event.preventDefault()
  const main = document.getElementById("main")
  main?.focus()
  main?.scrollIntoView()
}

const Mark = () => (
  <svg width="26" height="26" viewBox="0 0 26 26" fill="none" strokeWidth="2" aria-hidden="true">
    <path d="M13 2 4 5.5v7C4 18 8 22 13 24c5-2 9-6 9-11.5v-7Z" stroke="#fff" />
    <path d="M8 13h3l2-4 2 7 1.5-3H19" stroke="#ffbe2e" />
  </svg>
)
