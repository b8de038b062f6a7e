import { type ReactNode, useState } from "react"
import { timeWords } from "../../shared/Dates.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { DeletionContext, useDeletionNews } from "./DeletionNews.ts"
import { isDoubtful } from "./Unanswered.ts"
import { useAccountWords } from "./Words.ts"

/** Says on every screen that the veteran's data is about to be deleted, and cancels that. */
export const Deletion = ({ address, children }: { readonly address: string; readonly children: ReactNode }) => {
  const { deletion: words } = useAccountWords()
  const news = useDeletionNews()
  const { endsAt, refresh, tell } = news
  const { busy, call, off, problem, send, setProblem } = useOwnSending()
  // It is said on the screen where it was pressed, and on no later one.
  const [keptAt, setKeptAt] = useState<string>()
  const keep = () =>
    send(call(({ deletion }) => deletion.cancel({ params: me })), () => {
      // The pressed button is about to be removed, and the focus must not be lost with it (WCAG 2.4.3).
      document.querySelector<HTMLElement>("h1")?.focus()
      tell(null)
      setKeptAt(address)
    }, (problem) => {
      setProblem(problem)
      if (isDoubtful(problem)) refresh()
    })
  const isAsked = endsAt !== undefined && endsAt !== null
  return (
    <DeletionContext value={news}>
      <div role="status">
        {isAsked
          ? (
            <Notice kind="warning">
              <p>{words.asked(timeWords(endsAt))}</p>
              <Action busy={busy} off={off} onClick={keep}>{words.keep}</Action>
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
