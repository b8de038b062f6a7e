import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { type Signed, useDoubt } from "./Doubt.ts"
import type { Attempt } from "./Memory.ts"
import { SigningNews } from "./SigningNews.tsx"
import { useReleaseWords } from "./Words.ts"

/** A release that was being signed when the app locked, or when its screen was left. */
export const Doubted = ({ attempt, onNot, onSigned }: {
  readonly attempt: Attempt
  readonly onNot: () => void
  readonly onSigned: (signed: Signed) => void
}) => {
  const { doubt, sign } = useReleaseWords()
  const { look, looking, wasNot } = useDoubt(attempt, onSigned)
  return (
    <>
      <Heading>{sign.heading}</Heading>
      <SigningNews
        signing={{ isDoubtful: !wasNot, look, looking, problem: undefined, wasNot }}
        onChange={onNot}
      />
      {wasNot
        ? <Action onClick={onNot}>{doubt.goOn}</Action>
        : null}
    </>
  )
}
