import type { ReactNode } from "react"
import { Heading } from "../../shared/ui/Heading.tsx"
import { problemWords } from "../../shared/Words.ts"

/** Shown after the share ended. Nothing of the patient's is left on the page. `children` are the next steps. */
export const NotShared = ({ children }: { readonly children?: ReactNode }) => {
  const { text, title } = problemWords({ error: "consent_required" })
  return (
    <section className="card stack">
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children}
    </section>
  )
}
