import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

type Answer = readonly [words: string, give: () => void]

/**
 * A question with its answers. The first one keeps everything as it is, and has the focus. `kind` is the look of the
 * second one, which goes on.
 */
export const Question = ({ busy = false, children, go, keep, kind = "outline", off, onCancel = keep[1], title }: {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly keep: Answer
  readonly go?: Answer
  readonly kind?: "main" | "outline" | "stop"
  /** The two of the button that goes on. */
  readonly busy?: boolean
  readonly off?: string | undefined
  readonly onCancel?: () => void
}) => (
  <Dialog title={title} onCancel={onCancel}>
    {children}
    <div className="actions">
      <Button kind={kind === "outline" ? "main" : "outline"} onClick={keep[1]}>{keep[0]}</Button>
      {go === undefined
        ? null
        : <Button kind={kind} busy={busy} off={off} onClick={go[1]}>{go[0]}</Button>}
    </div>
  </Dialog>
)
