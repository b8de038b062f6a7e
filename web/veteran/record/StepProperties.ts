import type { ReactNode } from "react"
import type { About } from "../../shared/record/Messages.ts"
import type { OpenRecord, RecordState } from "../../shared/record/OpenRecord.ts"

/** What every step of an open record needs. */
export interface StepProperties {
  readonly record: OpenRecord
  readonly about: About
  readonly state: RecordState
  /** What must be known before the items: no connection, or not all was read. */
  readonly above: ReactNode
}
