import { type InputHTMLAttributes, type ReactNode, useId } from "react"

/** A radio button, a checkbox or a switch with its label, which is a target too, and a hint below. */
export const Choice = ({ hint, label, type, ...input }:
  & { readonly label: ReactNode; readonly hint?: ReactNode; readonly type: "radio" | "checkbox" | "switch" }
  & Omit<InputHTMLAttributes<HTMLInputElement>, "type">) =>
{
  const id = useId()
  return (
    <div className="choice">
      <label htmlFor={id}>
        <input
          {...input}
          id={id}
          type={type === "radio" ? "radio" : "checkbox"}
          {...(type === "switch" ? { role: "switch" } : {})}
          {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}
        />
        <span>{label}</span>
      </label>
      {hint === undefined ? null : <p className="soft" id={`${id}-hint`}>{hint}</p>}
    </div>
  )
}
