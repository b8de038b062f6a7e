import { type ButtonHTMLAttributes, type ComponentProps, useId } from "react"

/**
 * USWDS' button. While `busy` it keeps the focus, is announced as disabled, and ignores presses. `off` is the reason
 * why it cannot be used now, and is shown beside it.
 */
export const Button = ({ busy = false, children, kind = "main", off, onClick, type = "button", ...rest }:
  & {
    readonly busy?: boolean
    /** A `stop` takes something away. */
    readonly kind?: keyof typeof looks
    readonly off?: string | undefined
  }
  & ButtonHTMLAttributes<HTMLButtonElement>) =>
{
  const id = useId()
  const idle = busy || off !== undefined
  return (
    <>
      <button
        {...rest}
        // oxlint-disable-next-line react/button-has-type -- its type allows only the three values, and "button" is the default
        type={type}
        className={looks[kind]}
        {...(idle ? { "aria-disabled": true } : {})}
        {...(off === undefined ? {} : { "aria-describedby": id })}
        onClick={(event) => idle ? event.preventDefault() : onClick?.(event)}
      >
        {children}
      </button>
      {off === undefined ? null : <span className="soft small" id={id}>{off}</span>}
    </>
  )
}

/** A button that stands alone in its row. */
export const Action = (properties: ComponentProps<typeof Button>) => (
  <div className="actions">
    <Button {...properties} />
  </div>
)

const looks = { main: "usa-button", outline: "usa-button usa-button--outline", stop: "usa-button stop", link: "link" }
