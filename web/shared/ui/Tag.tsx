import type { ReactNode } from "react"

/** A short word for a state. Its color only repeats the word (WCAG 1.4.1). */
export const Tag = (
  { children, kind }: { readonly children: ReactNode; readonly kind?: "good" | "warn" | "bad" | "off" }
) => <span className={`tag ${kind === undefined ? "" : `tag-${kind}`}`}>{children}</span>
