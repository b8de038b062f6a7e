import type { ReactNode } from "react"
import { Bar } from "./Bar.tsx"

/** The frame of a page: bar, main part, and what we are not (38 CFR 1.9 keeps VA's name and seal to VA). */
export const Page = (
  { children, narrow = false, navigation }: {
    readonly children: ReactNode
    readonly narrow?: boolean
    readonly navigation?: ReactNode
  }
) => (
  <>
    <Bar>{navigation}</Bar>
    <main id="main" tabIndex={-1} className={narrow ? "narrow" : ""}>{children}</main>
    <footer>This is not a VA website.</footer>
  </>
)
