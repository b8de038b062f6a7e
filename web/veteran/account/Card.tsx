import type { ReactNode, Ref } from "react"

/** A part of the account with its own heading, which takes the focus when something in it has changed. */
export const Card = ({ children, head, title }: {
  readonly title: string
  readonly head?: Ref<HTMLHeadingElement>
  readonly children: ReactNode
}) => (
  <section className="card stack">
    <h2 tabIndex={-1} ref={head}>{title}</h2>
    {children}
  </section>
)
