import { useCallback, useState } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { useDoubt } from "./Doubt.ts"
import type { Attempt } from "./Memory.ts"
import type { Signed } from "./Signing.ts"
import { SigningNews } from "./SigningNews.tsx"
import { useReleaseWords } from "./Words.ts"

/** A release that was being signed when the app locked, or when its screen was left. */
export const Doubted = ({ attempt, onNot, onSigned }: {
  readonly attempt: Attempt
  readonly onNot: () => void
  readonly onSigned: (signed: Signed) => void
}) => {
  const { doubt, sign } = useReleaseWords()
  const [wasNot, setWasNot] = useState(false)
  const onFound = useCallback((document: Document | undefined, { recipient }: Attempt) => {
    if (document === undefined) return setWasNot(true)
    onSigned({ document, recipient, warnings: [], isNewer: false })
  }, [onSigned])
  const { look, looking } = useDoubt(wasNot ? undefined : attempt, onFound)
  return (
    <>
      <Heading>{sign.heading}</Heading>
      <SigningNews
        signing={{ isDoubtful: !wasNot, look, looking, problem: undefined, wasNot }}
        onChange={onNot}
      />
      {wasNot
        ? (
          <div className="actions">
            <Button onClick={onNot}>{doubt.goOn}</Button>
          </div>
        )
        : null}
    </>
  )
}
