import type { ReactNode } from "react"

/** A fact of an open item. */
export const Fact = ({ children, lang, name, strong = false }: {
  readonly name: ReactNode
  /** The language of the fact, if it is another than the page's. */
  readonly lang?: string | undefined
  readonly strong?: boolean
  readonly children: ReactNode
}) => (
  <>
    <dt>{name}</dt>
    <dd lang={lang} className={strong ? "strong" : ""} dir="auto">{children}</dd>
  </>
)
