import { type ReactNode, useId, useLayoutEffect, useRef } from "react"

/** A question that keeps the focus until it is answered. Escape calls `onCancel`, or does nothing if there is none. */
export const Dialog = ({ children, onCancel, title }: {
  readonly children: ReactNode
  readonly onCancel?: () => void
  readonly title: ReactNode
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closing the dialog before it is removed returns the focus to where it was.
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
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
