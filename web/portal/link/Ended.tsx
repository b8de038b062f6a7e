import type { ReactNode } from "react"
import { useTitle } from "../../shared/Title.ts"
import { Heading } from "../../shared/ui/Heading.tsx"

/** Says why there is nothing to read, or not now. `children` are the next steps, if there are any. */
export const Ended = ({ children, words: { text, title } }: {
  readonly children?: ReactNode
  readonly words: { readonly title: string; readonly text: string }
}) => {
  useTitle(title)
  return (
    <section className="card stack">
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children === undefined ? null : <div className="actions">{children}</div>}
    </section>
  )
}
