import type { ReactNode } from "react"
import { useWords } from "../language/Language.ts"
import { Bar } from "./Bar.tsx"

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
