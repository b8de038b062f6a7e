import { releaseRefusals } from "../../../src/domain/ReleaseRefusals.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { waitOf } from "../../shared/Words.ts"
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
  const { refused } = useReleaseWords()
  const title = isPreview ? refused.previewTitle : refused.title
  const { error, message, retryAfterSeconds = 60 } = problem
  const conflict = conflictOf(message)
  switch (error) {
    case "not_confirmed":
    case "confirmation_required":
      return <Notice kind="info" live title={title}>{refused.notConfirmed}</Notice>
    case "rate_limited":
      return (
        <Notice kind="error" live title={title}>
          <p>{(isTurn(problem) ? refused.turn : refused.previews)(waitOf(retryAfterSeconds))}</p>
          {again === undefined ? null : <Again again={again} />}
        </Notice>
      )
    case "conflict":
      return (
        <Notice kind="error" live title={title}>
          <p>{conflict === undefined ? refused.conflict : refused[conflict]}</p>
          <div className="actions">
            <Button kind="outline" onClick={onChange}>{refused.change}</Button>
          </div>
        </Notice>
      )
    case "deletion_pending":
      return (
        <Notice kind="error" live title={title}>
          <p>
            {refused.deletion} <a href={addressOf({ screen: "account" })}>{refused.account}</a>
          </p>
        </Notice>
      )
    case "storage_full":
      return <Notice kind="error" live title={title}>{refused.full}</Notice>
    default:
      return <Trouble problem={problem} {...again === undefined ? {} : { again }} />
  }
}

const Again = ({ again }: { readonly again: () => void }) => {
  const { preview } = useReleaseWords()
  return (
    <div className="actions">
      <Button kind="outline" onClick={again}>{preview.make}</Button>
    </div>
  )
}
