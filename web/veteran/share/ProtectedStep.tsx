import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { NotSearched } from "./NotSearched.tsx"
import { ProtectedSwitches } from "./ProtectedSwitches.tsx"
import type { StepProps } from "./Step.ts"
import { StepForm } from "./StepForm.tsx"
import { useShareWords } from "./Words.ts"

/** Federal law protects four kinds of information more. Each is shared by its switch alone (38 U.S.C. 7332). */
export const ProtectedStep = ({ change, draft, onBack, onNext }: StepProps) => {
  const { parts } = useShareWords()
  return (
    <StepForm
      heading={parts.heading}
      onBack={onBack}
      onSubmit={onNext}
    >
      <p>{parts.text}</p>
      <div className="card">
        <ProtectedSwitches
          chosen={draft.categories}
          onChange={(category, on) =>
            change({
              categories: SensitiveCategory.literals.filter((one) =>
                one === category ? on : draft.categories.includes(one)
              )
            })}
        />
      </div>
      <div className="card stack">
        <h2>{parts.limits}</h2>
        <NotSearched />
      </div>
    </StepForm>
  )
}
