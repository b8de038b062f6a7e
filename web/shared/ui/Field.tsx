import { type InputHTMLAttributes, type Ref, useId } from "react"

/** A labelled input with its hint and its error (WCAG 3.3.1, 3.3.2). */
export const Field = ({ className = "", error, hint, label, ...input }:
  & {
    readonly label: string
    readonly hint?: string | undefined
    readonly error?: string | undefined
    readonly ref?: Ref<HTMLInputElement>
  }
  & InputHTMLAttributes<HTMLInputElement>) =>
{
  const id = useId()
  const describedBy = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])]
  return (
    <div className={`usa-form-group ${error === undefined ? "" : "usa-form-group--error"}`}>
      <label className="usa-label" htmlFor={id}>{label}</label>
      {hint === undefined ? null : <span className="usa-hint" id={`${id}-hint`}>{hint}</span>}
      {error === undefined
        ? null
        : <span className="usa-error-message" id={`${id}-error`} role="alert">{error}</span>}
      <input
        {...input}
        id={id}
        className={`usa-input ${error === undefined ? "" : "usa-input--error"} ${className}`}
        {...(describedBy.length > 0 ? { "aria-describedby": describedBy.join(" ") } : {})}
        {...(error === undefined ? {} : { "aria-invalid": true })}
      />
    </div>
  )
}
