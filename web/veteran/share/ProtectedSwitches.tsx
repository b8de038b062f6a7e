import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { capitalized } from "../Moments.ts"
import { protectedName } from "../sharing/SharingWords.ts"
import { Choice } from "./Choice.tsx"
import { useShareWords } from "./Words.ts"

/** One switch for each protected part, and no switch for several of them (38 U.S.C. 7332). */
export const ProtectedSwitches = ({ chosen, onChange, ...first }: {
  readonly chosen: ReadonlyArray<SensitiveCategory>
  readonly onChange: (category: SensitiveCategory, on: boolean) => void
  /** Names the first switch for a summary that leads to it. */
  readonly "data-place"?: string
}) => {
  const { parts } = useShareWords()
  return (
    <fieldset>
      <legend>{parts.legend}</legend>
      {SensitiveCategory.literals.map((category, index) => (
        <Choice
          key={category}
          {...index === 0 ? first : {}}
          type="switch"
          label={capitalized(protectedName(category))}
          hint={parts.whys[category]}
          checked={chosen.includes(category)}
          onChange={({ target }) => onChange(category, target.checked)}
        />
      ))}
    </fieldset>
  )
}
