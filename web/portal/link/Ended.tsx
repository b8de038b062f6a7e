import type { ReactNode } from "react"
import { useWords } from "../../shared/language/Language.ts"
import { useTitle } from "../../shared/Title.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { type End, endWords } from "./End.ts"

/** Says why there is nothing to read. `children` are the next steps, if there are any. */
export const Ended = ({ children, end }: { readonly children?: ReactNode; readonly end: End }) => {
  useWords()
  const { text, title } = endWords(end)
  useTitle(title)
  return (
    <section className="card stack">
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children === undefined ? null : <div className="actions">{children}</div>}
    </section>
  )
}
