import { Effect } from "effect"
import { useState } from "react"
import { useAction } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import { useSecondsUntil } from "../../shared/SecondsUntil.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { type ProblemWords, problemWords, waitOf } from "../../shared/Words.ts"
import type { SentCode } from "./Code.ts"
import { type End, endOf } from "./End.ts"
import { useLinkWords } from "./LinkLanguage.ts"
import { connectRecipient } from "./Recipient.ts"

/**
 * A button that requests a code by mail, and stays off as long as the service demands. If no code was sent, the reason
 * appears below.
 */
export const SendCode = ({ children, kind = "main", notBefore = 0, onEnd, onSent, token }: {
  readonly children: string
  readonly kind?: "main" | "link"
  readonly notBefore?: number
  readonly onEnd: (end: End) => void
  readonly onSent: (code: SentCode) => void
  readonly token: string
}) => {
  const words = useLinkWords().send
  const [trouble, setTrouble] = useState<Pick<ProblemWords, "title" | "text">>()
  const [limitedUntil, setLimitedUntil] = useState(0)
  const { busy, start } = useAction()
  const off = useOffReason()
  // The button before this one already says that the browser is offline, so this one does not repeat it.
  const isSecond = kind === "link"
  const wait = useSecondsUntil(Math.max(notBefore, limitedUntil))
  const send = () => {
    setTrouble(undefined)
    const challenge = Effect.flatMap(connectRecipient, (recipient) => recipient.challenge({ payload: { token } }))
    start(challenge, (result) => {
      if (result.is === "done") {
        const { challengeId, expiresIn, resendAfter } = result.value
        const now = Date.now()
        return onSent({ challengeId, endsAt: now + expiresIn * 1000, againAt: now + resendAfter * 1000 })
      }
      const { error, retryAfterSeconds = 60 } = result.problem
      const end = endOf(error)
      if (end !== undefined) return onEnd(end)
      if (error === "rate_limited") setLimitedUntil(Date.now() + retryAfterSeconds * 1000)
      const { text, title } = problemWords(result.problem)
      setTrouble({
        title,
        text: error === "rate_limited"
          ? words.tooMany(waitOf(retryAfterSeconds))
          : error === "service_unavailable"
          ? words.notSent
          : text
      })
    })
  }
  return (
    <>
      <Button
        kind={kind}
        busy={busy || wait > 0 || (isSecond && off !== undefined)}
        off={isSecond ? undefined : off}
        onClick={send}
      >
        {busy ? words.sending : wait > 0 ? words.later(children, waitOf(wait)) : children}
      </Button>
      {trouble === undefined ? null : <Notice kind="error" live title={trouble.title}>{trouble.text}</Notice>}
    </>
  )
}
