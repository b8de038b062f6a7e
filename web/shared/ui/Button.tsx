import type { ButtonHTMLAttributes } from "react"

/** USWDS' button. While `busy` it stays focused and says so; a second press does nothing. */
export const Button = ({ busy = false, children, kind = "main", onClick, type = "button", ...rest }:
  & { readonly busy?: boolean; readonly kind?: "main" | "outline" | "link" }
  & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button
    {...rest}
    // oxlint-disable-next-line react/button-has-type -- it is one of the three by its type, and "button" unless said otherwise
    type={type}
    className={kind === "link" ? "link" : `usa-button ${kind === "outline" ? "usa-button--outline" : ""}`}
    {...(busy ? { "aria-disabled": true } : {})}
    onClick={(event) => busy ? event.preventDefault() : onClick?.(event)}
  >
    {children}
  </button>
)
