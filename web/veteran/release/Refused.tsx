import type { ReactNode } from "react"
import { releaseRefusals } from "../../../src/domain/ReleaseRefusals.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { waitOf } from "../../shared/Words.ts"
import { OwnTrouble } from "../OwnTrouble.tsx"
import { addressOf } from "../Route.ts"
import { isTurn } from "./Signing.ts"
import { useReleaseWords } from "./Words.ts"

type Conflict = keyof typeof releaseRefusals

/** The conflict that the service's message tells, or undefined. */
const conflictOf = (message: string | undefined) =>
  (Object.keys(releaseRefusals) as ReadonlyArray<Conflict>).find((key) => releaseRefusals[key] === message)

/** Says why the pages were not made, or why nothing was signed. */
export const Refused = ({ again, isPreview = false, onChange, problem }: {
  readonly problem: Problem
  readonly isPreview?: boolean
  readonly again?: () => void
  /** Leads to what the release carries. */
  readonly onChange: () => void
}) => {
  const { preview, refused } = useReleaseWords()
  const title = isPreview ? refused.previewTitle : refused.title
  const { error, message, retryAfterSeconds = 60 } = problem
  const conflict = conflictOf(message)
  if (error === "not_confirmed" || error === "confirmation_required") {
    return <Notice kind="info" live title={title}>{refused.notConfirmed}</Notice>
  }
  const told = (text: ReactNode, act?: readonly [words: string, go: () => void]) => ({
    title,
    text: (
      <>
        <p>{text}</p>
        {act === undefined ? null : <Action kind="outline" onClick={act[1]}>{act[0]}</Action>}
      </>
    )
  })
  const own = {
    // Previews are counted for minutes, and the releases of a day are many: the shared words tell how long to wait.
    rate_limited: retryAfterSeconds > 3_600 ? undefined : told(
      (isTurn(problem) ? refused.turn : refused.previews)(waitOf(retryAfterSeconds)),
      again === undefined ? undefined : [preview.make, again]
    ),
    conflict: told(conflict === undefined ? refused.conflict : refused[conflict], [refused.change, onChange]),
    deletion_pending: told(
      <>
        {refused.deletion} <a href={addressOf({ screen: "account" })}>{refused.account}</a>
      </>
    ),
    storage_full: told(refused.full)
  }
  return <OwnTrouble problem={problem} own={own} {...again === undefined ? {} : { again }} />
}
