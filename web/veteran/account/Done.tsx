import type { ReactNode } from "react"
import { Notice } from "../../shared/ui/Notice.tsx"

/** Says that something is done. The live region exists before its words, so that they are read aloud. */
export const Done = ({ children, kind = "success" }: {
  readonly children?: ReactNode
  readonly kind?: "success" | "info" | "warning"
}) => <div role="status">{children === undefined ? null : <Notice kind={kind}>{children}</Notice>}</div>
