import { type ReactNode, useId } from "react"
import { Modal } from "./Modal.tsx"

/** A question that keeps the focus until it is answered. Escape calls `onCancel`, or does nothing if there is none. */
export const Dialog = ({ children, onCancel, title }: {
  readonly children: ReactNode
  readonly onCancel?: () => void
  readonly title: ReactNode
}) => {
  const id = useId()
  return (
    <Modal labelledBy={id} onCancel={onCancel}>
      <div className="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </Modal>
  )
}
