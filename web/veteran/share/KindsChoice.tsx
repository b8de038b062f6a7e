import type { ReactNode } from "react"
import { typeWords } from "../../shared/language/Names.ts"
import { Choice } from "./Choice.tsx"
import { Radios } from "./Radios.tsx"

/** Everything, or kinds one by one. What is chosen stays offered, even if the record no longer has such a kind. */
export const KindsChoice = ({ all, children, chosen, error, onChange, words }: {
  /** The kinds of the record, as far as they are known. */
  readonly all: ReadonlyArray<string> | undefined
  /** Null means everything. */
  readonly chosen: ReadonlyArray<string> | null
  readonly onChange: (chosen: ReadonlyArray<string> | null) => void
  readonly words: Readonly<Record<"fromVa" | "all" | "some" | "kinds", string>>
  readonly error?: string | undefined
  readonly children: ReactNode
}) => (
  <>
    <Radios
      name="kinds"
      place="kinds"
      legend={words.fromVa}
      error={error}
      of={[["all", words.all], ["some", words.some]]}
      value={chosen === null ? "all" : "some"}
      onChange={(one) => onChange(one === "all" ? null : [])}
    />
    {children}
    {chosen === null ? null : (
      <fieldset>
        <legend>{words.kinds}</legend>
        {(all === undefined ? [] : [...new Set([...all, ...chosen])]).sort((a, b) =>
          typeWords(a).localeCompare(typeWords(b))
        ).map((type) => (
          <Choice
            key={type}
            type="checkbox"
            label={typeWords(type)}
            checked={chosen.includes(type)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, type] : chosen.filter((one) => one !== type))}
          />
        ))}
      </fieldset>
    )}
  </>
)
