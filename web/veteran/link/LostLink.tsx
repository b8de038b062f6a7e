import { useEffect, useState } from "react"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { runAgain } from "../../shared/AskAgain.ts"
import { timeWords } from "../../shared/Dates.ts"
import { Action, Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import { readActive } from "../sharing/ActiveSharing.ts"
import { findMadeLink, type Search } from "./LinkSearch.ts"
import type { Attempt } from "./Making.ts"
import { useLinkWords } from "./Words.ts"

/** How often the list is asked, in milliseconds. */
const pause = 3_000

/**
 * The answer to the making of a link was lost, and with it the link's address. The list says whether there is a link.
 * If there is, the veteran may turn it off.
 */
export const LostLink = ({ attempt, onKept, onNone, onOff, release, since }: {
  readonly attempt: Attempt
  readonly release: string
  readonly since: Date
  readonly onNone: () => void
  readonly onKept: (id: string) => void
  readonly onOff: (id: string) => void
}) => {
  const { lost, title } = useLinkWords()
  const { call } = useSession()
  const [search, setSearch] = useState<Search>({ is: "asking" })
  useEffect(() => {
    if (search.is === "none" || search.is === "made") return
    return runAgain(() => call(readActive), (outcome) =>
      setSearch(
        outcome.is === "failed"
          ? { is: "away" }
          : findMadeLink(outcome.value, { attempt, release, waited: Date.now() - since.getTime() })
      ), pause)
  }, [attempt, call, release, search.is, since])
  return (
    <>
      <Heading>{search.is === "made" || search.is === "none" ? title : lost.title}</Heading>
      <section className="card stack">
        {search.is === "none"
          ? (
            <>
              <Notice kind="info" live>{lost.none}</Notice>
              <Action onClick={onNone}>{lost.again}</Action>
            </>
          )
          : search.is === "made"
          ? <Found link={search.link} onKept={() => onKept(search.link.id)} onOff={() => onOff(search.link.id)} />
          : search.is === "away"
          ? <Notice kind="error" live>{lost.away}</Notice>
          : <Loading>{lost.asking}</Loading>}
      </section>
    </>
  )
}

const Found = ({ link, onKept, onOff }: {
  readonly link: Sharing
  readonly onKept: () => void
  readonly onOff: () => void
}) => {
  const { lost } = useLinkWords()
  const { busy, call, off, problem, send } = useOwnSending()
  const mailedAt = link.steps?.notifiedAt ?? null
  const turnOff = () =>
    send(call(({ sharing }) => sharing.stop({ params: { ...me, kind: "link", id: link.id } })), onOff)
  return (
    <>
      <Notice kind="warning" live>
        <p>{lost.made}</p>
        <p>{mailedAt === null ? lost.unmailed : lost.mailed(timeWords(mailedAt))}</p>
      </Notice>
      <Trouble problem={problem} again={turnOff} />
      <div className="actions">
        <Button kind="stop" busy={busy} off={off} onClick={turnOff}>{lost.off}</Button>
        <Button kind="outline" onClick={onKept}>{lost.keep}</Button>
      </div>
    </>
  )
}
