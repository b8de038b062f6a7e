import type { OpenedLink } from "../../../src/domain/SecureLink.ts"
import { timeWords } from "../../shared/Dates.ts"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import type { SentCode } from "./Code.ts"
import type { End } from "./End.ts"
import { SendCode } from "./SendCode.tsx"

/** Says what the link opens, where the code goes, and why there is a code. It shows nobody's name. */
export const Ask = ({ onEnd, onSent, opened, token }: {
  readonly onEnd: (end: End) => void
  readonly onSent: (code: SentCode) => void
  readonly opened: typeof OpenedLink.Type
  readonly token: string
}) => (
  <section className="card stack">
    <Heading>A health document for you</Heading>
    <p>
      A veteran chose to share a signed release of health information with you. To make sure it is you, we send a code
      to your e-mail.
    </p>
    <Facts
      of={[
        ["Code goes to", opened.recipientHint],
        ["Link works until", timeWords(opened.expiresAt)]
      ]}
    />
    <div className="actions">
      <SendCode token={token} onEnd={onEnd} onSent={onSent}>E-mail me a code</SendCode>
    </div>
    <p className="soft">
      Not your e-mail? Close this page and tell the person who gave you the link. Keep the link to yourself.
    </p>
  </section>
)
