import { type ReactNode, useLayoutEffect, useRef } from "react"

/** Covers the page and keeps the focus until it is removed. Escape calls `onCancel`, or does nothing without one. */
export const Modal = ({ children, className, labelledBy, onCancel }: {
  readonly children: ReactNode
  readonly className?: string
  readonly labelledBy: string
  readonly onCancel?: (() => void) | undefined
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closing the dialog before it is removed returns the focus to where it was.
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onCancel?.()
      }}
    >
      {children}
    </dialog>
  )
}
