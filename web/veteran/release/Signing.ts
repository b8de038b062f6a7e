import { Effect } from "effect"
import { useCallback } from "react"
import type { AuthorizationRequest, PreviewRequest } from "../../../src/domain/Release.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useConfirmed } from "../confirm/Confirmed.ts"
import { wasRefused } from "../Refusals.ts"
import { me, useOwnSending } from "../session/Own.ts"
import { newestReleases, type Signed, useDoubt } from "./Doubt.ts"
import { hasChanged, type SeenPreview } from "./MakingPreview.ts"
import type { Attempt } from "./Memory.ts"
import { digestOfRequest } from "./OwnRelease.ts"

/** The press of the button: what was seen, and how it is signed. */
interface Press {
  readonly request: PreviewRequest
  readonly seen: SeenPreview
  readonly signature: AuthorizationRequest["signature"]
  readonly incompleteRecordConfirmed: boolean
}

/**
 * Signs a release once, however often the button is pressed. After a lost answer it looks for the release first, and
 * until it has looked, nothing can be signed. `onAttempt` and `onSigned` must not change.
 */
export const useSigning = ({ attempt, onAttempt, onChanged, onRefused, onSigned }: {
  readonly attempt: Attempt | undefined
  /** Tells of a signing just before it is sent, and that its outcome is known. */
  readonly onAttempt: (attempt: Attempt | undefined) => void
  /** The record has changed since the pages were made, and nothing was signed. */
  readonly onChanged: () => void
  readonly onRefused: (problem: Problem) => void
  readonly onSigned: (signed: Signed) => void
}) => {
  const { busy, call, problem, send, setProblem } = useOwnSending()
  const confirmed = useConfirmed()
  const isDoubtful = !busy && attempt !== undefined
  const onKnown = useCallback(() => onAttempt(undefined), [onAttempt])
  const { look, looking, setWasNot, wasNot } = useDoubt(isDoubtful ? attempt : undefined, onSigned, onKnown)

  const sign = ({ incompleteRecordConfirmed, request, seen, signature }: Press) => {
    setWasNot(false)
    const { information: { resourceTypes }, recipient: { name: recipient } } = request
    let sent = false
    const once = call((client) =>
      Effect.gen(function*() {
        sent = false
        const { healthRecord, roi } = client
        const before = yield* healthRecord.manifest({ params: me })
        if (hasChanged(seen.manifest, before, resourceTypes)) return undefined
        const known = (yield* newestReleases(client)).map(({ id }) => id)
        onAttempt({ known, recipient, at: Date.now(), digest: yield* digestOfRequest(request, signature.typedName) })
        sent = true
        const signed = yield* roi.sign({
          params: me,
          payload: { ...request, statementsAccepted: true, signature, incompleteRecordConfirmed }
        })
        // The release is signed: this only tells whether an update came in between.
        const after = yield* Effect.orElseSucceed(healthRecord.manifest({ params: me }), () => before)
        const isNewer = resourceTypes.some((type) => {
          const at = after[type]?.lastFetchAt?.getTime() ?? 0
          return at > (before[type]?.lastFetchAt?.getTime() ?? 0) && at <= (signed.document.signedAt?.getTime() ?? 0)
        })
        return { ...signed, recipient, isNewer }
      })
    )
    send(confirmed(once), (signed) => {
      onAttempt(undefined)
      return signed === undefined ? onChanged() : onSigned(signed)
    }, (problem) => {
      setProblem(problem)
      if (sent && !wasRefused(problem)) return
      onAttempt(undefined)
      onRefused(problem)
    })
  }

  return { busy, isDoubtful, look, looking, problem, sign, wasNot }
}

export type Signing = ReturnType<typeof useSigning>

/** True if the service refused because another release of this veteran is being made. It then says a few seconds. */
export const isTurn = ({ error, retryAfterSeconds = 60 }: Problem) => error === "rate_limited" && retryAfterSeconds <= 2
