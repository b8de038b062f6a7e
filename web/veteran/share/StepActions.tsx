import { Button } from "../../shared/ui/Button.tsx"

/** One way on, one way back. The way on submits the step's form. */
export const StepActions = ({ onBack }: { readonly onBack: () => void }) => (
  <div className="actions">
    <Button type="submit">Go on</Button>
    <Button kind="outline" onClick={onBack}>Back</Button>
  </div>
)
