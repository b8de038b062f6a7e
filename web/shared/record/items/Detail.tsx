import { type ReactNode, useEffect, useId, useRef } from "react"

/** What is open beside the table. It takes the focus; Escape closes it. */
export const Detail = ({ children, onClose, title }: {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => heading.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, wherever in it the focus is
    <section
      className="detail card stack tight"
      aria-labelledby={id}
      onKeyDown={({ key }) => key === "Escape" ? onClose() : undefined}
    >
      <div className="row between">
        <h3 id={id} ref={heading} tabIndex={-1} dir="auto">{title}</h3>
        <button type="button" className="link" onClick={onClose}>Close</button>
      </div>
      {children}
    </section>
  )
}
