import { useMemo } from "react"
import { useRead } from "../../shared/Call.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { Card } from "./Card.tsx"
import { NoticeForm } from "./NoticeForm.tsx"
import { useAccountWords } from "./Words.ts"

/** About what the veteran wants mails. */
export const NoticeSettings = () => {
  const { notices: words } = useAccountWords()
  const { call } = useSession()
  const { again, state } = useRead(
    useMemo(() => call(({ veteranAccount }) => veteranAccount.notices({ params: { veteranId: "me" } })), [call])
  )
  return (
    <Card title={words.title}>
      <p>{words.text}</p>
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done" ? <NoticeForm kept={state.value} /> : null}
      <p className="soft">{words.always}</p>
    </Card>
  )
}
