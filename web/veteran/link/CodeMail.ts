import { useState } from "react"
import type { LinkId } from "../../../src/domain/Id.ts"
import { useAction } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useSecondsUntil } from "../../shared/SecondsUntil.ts"
import { useSession } from "../session/Session.ts"

/** Mails the recipient a code, for a reader that asks for it first. `news` is what became of the latest try. */
export const useCodeMail = (linkId: LinkId) => {
  const { call } = useSession()
  const { busy, start } = useAction()
  const [news, setNews] = useState<
    { readonly is: "sent"; readonly seconds: number } | { readonly is: "failed"; readonly problem: Problem }
  >()
  const [wasSent, setSent] = useState(false)
  const [notBefore, setNotBefore] = useState(0)
  const wait = useSecondsUntil(notBefore)
  const waitFor = (seconds: number) => setNotBefore(Date.now() + seconds * 1_000)
  const send = () => {
    setNews(undefined)
    start(call(({ secureLinks }) => secureLinks.code({ params: { veteranId: "me", linkId } })), (outcome) => {
      if (outcome.is === "done") {
        setSent(true)
        setNews({ is: "sent", seconds: outcome.value.expiresIn })
        return waitFor(outcome.value.resendAfter)
      }
      const { problem } = outcome
      setNews({ is: "failed", problem })
      if (problem.error === "rate_limited") waitFor(problem.retryAfterSeconds ?? 60)
    })
  }
  return { busy, news, send, wait, wasSent }
}

export type CodeMail = ReturnType<typeof useCodeMail>
