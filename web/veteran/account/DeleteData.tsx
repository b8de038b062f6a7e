import { useRef, useState } from "react"
import { timeWords } from "../../shared/Dates.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { Card } from "./Card.tsx"
import { DeletionForm } from "./DeletionForm.tsx"
import { useDeletion } from "./DeletionNews.ts"
import { Done } from "./Done.tsx"
import { useAccountWords } from "./Words.ts"

/** The veteran asks to be forgotten. While nobody knows whether it was asked, it is not offered. */
export const DeleteData = () => {
  const { deletion: words, looked } = useAccountWords()
  const { again, endsAt, state, tell } = useDeletion()
  const head = useRef<HTMLHeadingElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [news, setNews] = useState<"asked" | "looked">()
  const close = () => {
    setOpen(false)
    head.current?.focus()
  }
  const isAsked = endsAt !== undefined && endsAt !== null
  return (
    <Card title={words.title} head={head}>
      <Done kind={isAsked ? "warning" : "info"}>
        {isAsked
          ? `${words.due(timeWords(endsAt))} ${news === undefined ? "" : words.sharedEnded}`
          : news === "looked" && endsAt === null
          ? looked
          : undefined}
      </Done>
      {endsAt === undefined && state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      <Loading when={endsAt === undefined && state.is === "pending"} />
      {endsAt === null
        ? (
          <>
            <p>{words.intro}</p>
            {isOpen
              ? (
                <DeletionForm
                  onKept={close}
                  onAsked={(endsAt) => {
                    setNews("asked")
                    close()
                    tell(endsAt)
                  }}
                  onUnanswered={() => {
                    setNews("looked")
                    close()
                    again()
                  }}
                />
              )
              : (
                <Action
                  kind="stop"
                  onClick={() => {
                    setNews(undefined)
                    setOpen(true)
                  }}
                >
                  {words.title}
                </Action>
              )}
          </>
        )
        : null}
    </Card>
  )
}
