import type { ReactNode } from "react"
import { Choice } from "./Choice.tsx"

/** Radio buttons below their legend. `place` names the first one for a summary that leads to it. */
export const Radios = <A extends string | number>({ className, error, legend, name, of, onChange, place, value }: {
  readonly className?: string
  readonly legend: string
  readonly name: string
  readonly of: ReadonlyArray<readonly [value: A, label: ReactNode, hint?: string | undefined]>
  readonly value: A | undefined
  readonly onChange: (value: A) => void
  readonly error?: string | undefined
  readonly place?: string
}) => (
  <fieldset className={className}>
    <legend>{legend}</legend>
    {error === undefined ? null : <span className="usa-error-message">{error}</span>}
    {of.map(([one, label, hint], index) => (
      <Choice
        key={one}
        type="radio"
        name={name}
        label={label}
        hint={hint}
        data-place={index === 0 ? place : undefined}
        checked={one === value}
        onChange={() => onChange(one)}
      />
    ))}
  </fieldset>
)
