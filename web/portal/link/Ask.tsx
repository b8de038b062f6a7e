import type { OpenedLink } from "../../../src/domain/SecureLink.ts"
import { timeWords } from "../../shared/Dates.ts"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import type { SentCode } from "./Code.ts"
import type { End } from "./End.ts"
import { useLinkWords } from "./LinkLanguage.ts"
import { SendCode } from "./SendCode.tsx"

/** Says what the link opens, where the code goes, and why there is a code. It shows nobody's name. */
export const Ask = ({ onEnd, onSent, opened, token }: {
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
      </div>
      <p className="soft">{ask.notYours}</p>
    </section>
  )
}
