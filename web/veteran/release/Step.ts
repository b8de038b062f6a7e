import type { ReleaseDraft } from "./Draft.ts"
import type { Wrong } from "./Wrong.ts"

/** What a step of the form gets: the draft, a way to change it, the way on, the way back, and what was refused. */
export interface StepProps {
  readonly draft: ReleaseDraft
  readonly change: (changes: Partial<ReleaseDraft>) => void
  readonly refused: ReadonlyArray<Wrong>
  readonly onNext: () => void
  readonly onBack: () => void
}
