import { Button } from "../../shared/ui/Button.tsx"
import { useShareWords } from "./Words.ts"

/** One way on, one way back. The way on submits the step's form. */
export const StepActions = ({ onBack }: { readonly onBack: () => void }) => {
  const { back, next } = useShareWords()
  return (
    <div className="actions">
      <Button type="submit">{next}</Button>
      <Button kind="outline" onClick={onBack}>{back}</Button>
    </div>
  )
}
