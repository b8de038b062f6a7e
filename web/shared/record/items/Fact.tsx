import type { ReactNode } from "react"

/** A fact of an open item. */
export const Fact = ({ children, name, strong = false }: {
  readonly name: string
  readonly strong?: boolean
  readonly children: ReactNode
}) => (
  <>
    <dt>{name}</dt>
    <dd className={strong ? "strong" : ""} dir="auto">{children}</dd>
  </>
)
