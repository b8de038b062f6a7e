import { type ReactNode, useState } from "react"
import { useAction } from "../../shared/Call.ts"
import { timeWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { DeletionContext, useDeletionNews } from "./DeletionNews.ts"
import { isDoubtful } from "./Unanswered.ts"
import { useAccountWords } from "./Words.ts"

/** Says on every screen that the veteran's data is about to be deleted, and cancels that. */
export const Deletion = ({ address, children }: { readonly address: string; readonly children: ReactNode }) => {
  const { deletion: words } = useAccountWords()
  const { call } = useSession()
  const news = useDeletionNews()
  const { endsAt, refresh, tell } = news
  const { busy, start } = useAction()
  const [problem, setProblem] = useState<Problem>()
  // It is said on the screen where it was pressed, and on no later one.
  const [keptAt, setKeptAt] = useState<string>()
  const off = useOffReason()
  const keep = () => {
    setProblem(undefined)
    start(call(({ deletion }) => deletion.cancel({ params: { veteranId: "me" } })), (outcome) => {
      if (outcome.is === "failed") {
        setProblem(outcome.problem)
        if (isDoubtful(outcome.problem)) refresh()
        return
      }
      // The pressed button is about to be removed, and the focus must not be lost with it (WCAG 2.4.3).
      document.querySelector<HTMLElement>("h1")?.focus()
      tell(null)
      setKeptAt(address)
    })
  }
  const isAsked = endsAt !== undefined && endsAt !== null
  return (
    <DeletionContext value={news}>
      <div role="status">
        {isAsked
          ? (
            <Notice kind="warning">
              <p>{words.asked(timeWords(endsAt))}</p>
              <div className="actions">
                <Button busy={busy} off={off} onClick={keep}>{words.keep}</Button>
              </div>
            </Notice>
          )
          : keptAt === address
          ? <Notice kind="success">{words.kept}</Notice>
          : null}
      </div>
      {isAsked && problem !== undefined ? <Trouble problem={problem} /> : null}
      {children}
    </DeletionContext>
  )
}
