import { grantLimits } from "../../../src/domain/ConsentGrant.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf } from "../Route.ts"

/** Says why the share was not made, or that nobody knows whether it was. */
export const Refused = ({ isChange, isDoubtful, problem }: {
  readonly isChange: boolean
  readonly isDoubtful: boolean
  readonly problem: Problem
}) => {
  if (isDoubtful) {
    return (
      <Notice kind="error" live title="We don’t know whether it was shared">
        <p>
          The service gave no answer. Press the button again: we look first, so it is never shared twice.
        </p>
      </Notice>
    )
  }
  if (problem.error !== "conflict") return <Trouble problem={problem} />
  return (
    <Notice kind="error" live title={isChange ? "This share was not changed" : "This can’t be shared now"}>
      <p>
        {isChange
          ? "It may have ended by now, or you share with too many."
          : `You can share with ${grantLimits.perVeteran} at a time, and ${grantLimits.perProvider} times with one of ` +
            "them. Stop one of them first."} <a href={addressOf({ screen: "sharing" })}>Open Sharing</a>
      </p>
    </Notice>
  )
}
