import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { capitalized } from "../Moments.ts"
import { protectedNames } from "../sharing/SharingWords.ts"
import { Choice } from "./Choice.tsx"
import { NotSearched } from "./NotSearched.tsx"
import type { StepProps } from "./Step.ts"
import { StepActions } from "./StepActions.tsx"

const whys: Readonly<Record<SensitiveCategory, string>> = {
  drug_abuse: "A doctor may need it to choose safe medicine for pain or sleep.",
  alcohol_abuse: "A doctor may need it before surgery, or to choose safe medicine.",
  hiv: "A doctor may need it to choose medicines that go together.",
  sickle_cell: "A doctor may need it in an emergency, before surgery, or to treat pain."
}

/** Federal law protects four kinds of information more. Each is shared by its switch alone (38 U.S.C. 7332). */
export const ProtectedStep = ({ change, draft, onBack, onNext }: StepProps) => (
  <form
    className="stack"
    onSubmit={(event) => {
      event.preventDefault()
      onNext()
    }}
  >
    <Heading>Protected parts</Heading>
    <p>
      Federal law protects these more than the rest. They are kept back unless you turn them on. Everyone gets the same
      list: it says nothing about your record.
    </p>
    <div className="card">
      <fieldset>
        <legend>Share these too</legend>
        {SensitiveCategory.literals.map((category) => (
          <Choice
            key={category}
            type="switch"
            label={capitalized(protectedNames[category])}
            hint={whys[category]}
            checked={draft.categories.includes(category)}
            onChange={({ target }) =>
              change({
                categories: SensitiveCategory.literals.filter((one) =>
                  one === category ? target.checked : draft.categories.includes(one)
                )
              })}
          />
        ))}
      </fieldset>
    </div>
    <div className="card stack">
      <h2>What this cannot do</h2>
      <NotSearched />
    </div>
    <StepActions onBack={onBack} />
  </form>
)
