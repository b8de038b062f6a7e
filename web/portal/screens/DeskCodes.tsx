import { useMemo, useState } from "react"
import { pageLimit } from "../../../src/domain/Page.ts"
import { liveInvitations, type MadeInvitation } from "../../../src/domain/ProviderInvitation.ts"
import { useRead } from "../../shared/Call.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { CodeList } from "../desk/CodeList.tsx"
import { useProviderSending } from "../session/ProviderSending.ts"
import "../desk/desk.css"
import { MadeCode } from "../desk/MadeCode.tsx"

const query = { limit: pageLimit.maximum }

/** Codes that veterans scan at the clinic's desk, so that they find this provider without typing an address. */
export const DeskCodes = () => {
  const { busy, call, problem, send } = useProviderSending()
  const [made, setMade] = useState<MadeInvitation>()
  const reading = useRead(useMemo(() => call(({ invitations }) => invitations.list({ query })), [call]))
  const make = () => send(call(({ invitations }) => invitations.make({ payload: {} })), setMade)
  if (made !== undefined) {
    return (
      <section className="card stack">
        <MadeCode
          made={made}
          onDone={() => {
            setMade(undefined)
            reading.refresh()
          }}
        />
      </section>
    )
  }
  return (
    <section className="card stack">
      <Heading>Desk codes</Heading>
      <Offline />
      <p>
        A sheet with a code at your desk lets veterans find you with their phone’s camera. The code says who you are. It
        opens no record, so it may hang where everybody sees it.
      </p>
      {problem === undefined
        ? null
        : problem.error === "conflict"
        ? (
          <Notice kind="error" live title="No new code was made">
            <p>{liveInvitations} codes are in use, which is the most. Revoke one that you no longer need.</p>
          </Notice>
        )
        : <Trouble problem={problem} />}
      <Action busy={busy} onClick={make}>Make a code</Action>
      <Reading of={reading} loading="Loading your codes">
        {({ items }, now) =>
          items.length === 0
            ? <p className="soft">You have no codes yet. You can have {liveInvitations} at a time.</p>
            : <CodeList codes={items} now={now} onRevoked={reading.refresh} />}
      </Reading>
    </section>
  )
}
