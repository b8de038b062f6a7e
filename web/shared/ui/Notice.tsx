import type { ReactNode } from "react"

type Kind = "info" | "warning" | "error" | "success"

/** USWDS' alert. A live alert is read aloud when it appears: an error immediately, others when the reader pauses. */
export const Notice = ({ children, kind, live = false, title }: {
  readonly children: ReactNode
  readonly kind: Kind
  readonly live?: boolean
  readonly title?: string
}) => (
  <div className={`usa-alert usa-alert--${kind}`} {...(live ? { role: kind === "error" ? "alert" : "status" } : {})}>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[kind]} />
    </svg>
    <div className="usa-alert__body">
      {title === undefined ? null : <h2 className="usa-alert__heading">{title}</h2>}
      <div className="usa-alert__text">{children}</div>
    </div>
  </div>
)

/** The icons are part of the page, because a file that is fetched on first use would not load without a connection. */
const icons: Readonly<Record<Kind, string>> = {
  warning: "M12 2 1 21h22ZM11 9h2v6h-2Zm0 7.5h2v2h-2Z",
  error: "M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22Zm-1 5h2v8h-2Zm0 10h2v2h-2Z",
  info: "M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22Zm-1 5h2v2h-2Zm0 4h2v8h-2Z",
  success: "M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22Zm-1.5 16L6 12.5 7.5 11l3 3 6-6L18 9.5Z"
}
