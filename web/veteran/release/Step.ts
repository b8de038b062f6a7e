import type { StepProps as Props } from "../frame/Steps.ts"
import type { ReleaseDraft } from "./Draft.ts"
import type { Wrong } from "./Wrong.ts"

/** What a step of the form gets, and what the service refused of it. */
export interface StepProps extends Props<ReleaseDraft> {
  readonly refused: ReadonlyArray<Wrong>
}
