import { Reading } from "../../shared/ui/Reading.tsx"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { Card } from "./Card.tsx"
import { NoticeForm } from "./NoticeForm.tsx"
import { useAccountWords } from "./Words.ts"

const readNotices = ({ veteranAccount }: Client) => veteranAccount.notices({ params: me })

/** About what the veteran wants mails. */
export const NoticeSettings = () => {
  const { notices: words } = useAccountWords()
  const reading = useOwnRead(readNotices)
  return (
    <Card title={words.title}>
      <p>{words.text}</p>
      <Reading of={reading}>{(kept) => <NoticeForm kept={kept} />}</Reading>
      <p className="soft">{words.always}</p>
    </Card>
  )
}
