import type { Problem } from "../../shared/Problem.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { waitOf } from "../../shared/Words.ts"
import { useLinkWords } from "./Words.ts"

/** Why no link was made. */
export const LinkRefused = ({ isForApps, isMailed, problem }: {
  readonly problem: Problem
  readonly isMailed: boolean
  readonly isForApps: boolean
}) => {
  const { refused } = useLinkWords()
  const text = textOf(problem, isMailed, isForApps, refused)
  return text === undefined ? <Trouble problem={problem} /> : (
    <Notice kind="error" live>
      <p>{text}</p>
    </Notice>
  )
}

const textOf = (
  { error, retryAfterSeconds = 60 }: Problem,
  isMailed: boolean,
  isForApps: boolean,
  refused: ReturnType<typeof useLinkWords>["refused"]
) => {
  switch (error) {
    case "conflict":
      return isForApps ? refused.forApps : refused.conflict
    case "not_found":
      return refused.conflict
    case "deletion_pending":
      return refused.deletion
    case "invalid_request":
      return refused.wrong
    case "rate_limited":
      // An address gets few links by mail in a day, and a veteran may make many more.
      return isMailed ? refused.mail(waitOf(retryAfterSeconds)) : undefined
    default:
      return undefined
  }
}
