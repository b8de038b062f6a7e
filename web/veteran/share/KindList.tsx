import type { ReactNode } from "react"
import { typeWords } from "../../shared/language/Names.ts"
import { Choice } from "./Choice.tsx"

/** The kinds one by one. What is chosen stays offered, even if the record no longer has such a kind. */
export const KindList = ({ all, children, chosen, legend, onChange }: {
  /** The kinds of the record, as far as they are known. */
  readonly all: ReadonlyArray<string> | undefined
  readonly chosen: ReadonlyArray<string>
  readonly legend: string
  readonly onChange: (chosen: ReadonlyArray<string>) => void
  readonly children?: ReactNode
}) => {
  const offered = all === undefined
    ? []
    : [...new Set([...all, ...chosen])].sort((a, b) => typeWords(a).localeCompare(typeWords(b)))
  return (
    <fieldset>
      <legend>{legend}</legend>
      {children}
      {offered.map((type) => (
        <Choice
          key={type}
          type="checkbox"
          label={typeWords(type)}
          checked={chosen.includes(type)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, type] : chosen.filter((one) => one !== type))}
        />
      ))}
    </fieldset>
  )
}
