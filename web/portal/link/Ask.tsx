import type { OpenedLink } from "../../../src/domain/SecureLink.ts"
import { timeWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { alreadySent, type SentCode } from "./Code.ts"
import type { End } from "./End.ts"
import { useLinkWords } from "./LinkLanguage.ts"
import { SendCode } from "./SendCode.tsx"

/** Says what the link opens, where the code goes, and why there is a code. It shows nobody's name. */
export const Ask = ({ isForApps, onEnd, onSent, opened, token }: {
  readonly isForApps: boolean
  readonly onEnd: (end: End) => void
  readonly onSent: (code: SentCode) => void
  readonly opened: typeof OpenedLink.Type
  readonly token: string
}) => {
  const { ask, title } = useLinkWords()
  return (
    <section className="card stack">
      <Heading>{title}</Heading>
      <p>{ask.text}</p>
      <Facts of={[[ask.goesTo, opened.recipientHint], [ask.until, timeWords(opened.expiresAt)]]} />
      <div className="actions">
        <SendCode token={token} onEnd={onEnd} onSent={onSent}>{ask.send}</SendCode>
        {isForApps ? <Button kind="link" onClick={() => onSent(alreadySent)}>{ask.have}</Button> : null}
      </div>
      <p className="soft">{ask.notYours}</p>
    </section>
  )
}
