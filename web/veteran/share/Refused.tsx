import { grantLimits } from "../../../src/domain/ConsentGrant.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf } from "../Route.ts"
import { useShareWords } from "./Words.ts"

/** Says why the share was not made, or that nobody knows whether it was. */
export const Refused = ({ isChange, isDoubtful, problem }: {
  readonly isChange: boolean
  readonly isDoubtful: boolean
  readonly problem: Problem
}) => {
  const { refused } = useShareWords()
  if (isDoubtful) {
    return <Notice kind="error" live title={refused.doubt}>{refused.doubtText}</Notice>
  }
  if (problem.error !== "conflict") return <Trouble problem={problem} />
  return (
    <Notice kind="error" live title={isChange ? refused.change : refused.many}>
      <p>
        {isChange
          ? refused.changeText
          : refused.manyText(grantLimits.perVeteran, grantLimits.perProvider)}{" "}
        <a href={addressOf({ screen: "sharing" })}>{refused.sharing}</a>
      </p>
    </Notice>
  )
}
