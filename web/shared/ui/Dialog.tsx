import { type ReactNode, useEffect, useId, useRef } from "react"

/** A question that keeps the focus until it is answered; Escape is `onCancel` (without one it stays). */
export const Dialog = ({ children, onCancel, title }: {
  readonly children: ReactNode
  readonly onCancel?: () => void
  readonly title: string
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onCancel?.()
      }}
    >
      <div className="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
