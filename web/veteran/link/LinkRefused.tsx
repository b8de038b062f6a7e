import type { Problem } from "../../shared/Problem.ts"
import { waitOf } from "../../shared/Words.ts"
import { OwnTrouble } from "../OwnTrouble.tsx"
import { useLinkWords } from "./Words.ts"

/** Why no link was made. */
export const LinkRefused = ({ isForApps, isMailed, problem }: {
  readonly problem: Problem
  readonly isMailed: boolean
  readonly isForApps: boolean
}) => {
  const { refused } = useLinkWords()
  return (
    <OwnTrouble
      problem={problem}
      own={{
        conflict: isForApps ? refused.forApps : refused.conflict,
        not_found: refused.conflict,
        deletion_pending: refused.deletion,
        invalid_request: refused.wrong,
        // In a day an address gets few links by mail, and a veteran names few new people.
        rate_limited: isMailed ? refused.mail(waitOf(problem.retryAfterSeconds ?? 60)) : undefined
      }}
    />
  )
}
