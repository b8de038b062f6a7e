import { useEffect, useState } from "react"
import { timeWords } from "../../shared/Dates.ts"
import { useDraft } from "../../shared/Drafts.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { goTo } from "../Route.ts"
import type { ActiveSharing } from "../sharing/ActiveSharing.ts"
import { useFreshSharing } from "../sharing/FreshSharing.ts"
import { LinkTrack } from "../sharing/LinkTrack.tsx"
import { useLinkViews } from "../sharing/LinkViews.ts"
import { Named } from "../sharing/Named.tsx"
import { TrackNews } from "../sharing/TrackNews.tsx"
import { ViewedVia } from "../sharing/ViewedVia.tsx"
import { useCodeMail } from "./CodeMail.ts"
import { CodeNow } from "./CodeNow.tsx"
import { FullScreen } from "./FullScreen.tsx"
import { HandOver } from "./HandOver.tsx"
import { Leaving } from "./Leaving.tsx"
import type { LinkHandover } from "./LinkDraft.ts"
import type { Made } from "./Making.ts"
import { QrPicture } from "./QrPicture.tsx"
import { useLinkWords } from "./Words.ts"

/** The new link, shown once: as a QR code, to copy and to share, with what became of its mail. */
export const MadeLink = ({ address, how, made: { link, qrSvg, shlink, url, warnings }, onAgain, reading }: {
  /** The screen's address. */
  readonly address: string
  readonly made: Made
  readonly how: LinkHandover
  readonly reading: ActiveSharing
  readonly onAgain: () => void
}) => {
  const { code, differs, made } = useLinkWords()
  const isMailed = link.notifiedAt !== null
  const [isGiven, setGiven] = useState(isMailed || how === "desk")
  const [isFull, setFull] = useState(how === "desk")
  const give = () => setGiven(true)
  const mail = useCodeMail(link.id)
  useHeld()
  return (
    <>
      <Heading>{made.title}</Heading>
      {link.notifiedAt !== null
        ? <Notice kind="success" live>{made.mailed(timeWords(link.notifiedAt))}</Notice>
        : how === "mail"
        ? (
          <Notice kind="error" live>
            <p>{made.notMailed}</p>
            <Action kind="outline" onClick={onAgain}>{made.again}</Action>
          </Notice>
        )
        : null}
      {warnings.length === 0 ? null : <Notice kind="warning">{differs.made}</Notice>}
      <section className="card stack">
        <QrPicture svg={qrSvg} />
        <p>
          <Named of={made.point} name={link.recipientEmail} />
        </p>
        <Action
          onClick={() => {
            give()
            setFull(true)
          }}
        >
          {made.full}
        </Action>
        <HandOver url={url} shlink={shlink} onGiven={give} />
        <p className="soft">{made.once} {made.until(timeWords(link.expiresAt))}</p>
      </section>
      {shlink === undefined ? null : (
        <section className="card stack">
          <h2>{code.title}</h2>
          <p>{code.when}</p>
          <CodeNow email={link.recipientEmail} mail={mail} />
        </section>
      )}
      <Progress of={link.id} since={link.createdAt} reading={reading} />
      <Action kind="outline" onClick={() => goTo({ screen: "sharing" })}>{made.done}</Action>
      {isFull
        ? (
          <FullScreen
            email={link.recipientEmail}
            qrSvg={qrSvg}
            mail={shlink === undefined ? undefined : mail}
            onClose={() => setFull(false)}
          />
        )
        : null}
      {isGiven ? null : <Leaving address={address} />}
    </>
  )
}

/** A new build of the app waits while the link is shown, because it could not be shown again. */
const useHeld = () => {
  const [, hold] = useDraft("link shown", false)
  useEffect(() => {
    hold(true)
    return () => hold(false)
  }, [hold])
}

/** What became of the link, while its veteran waits at the desk. */
const Progress = ({ of, reading, since }: {
  readonly of: string
  readonly since: Date
  readonly reading: ActiveSharing
}) => {
  const { made } = useLinkWords()
  const { refresh, state } = reading
  // The list is older than the link.
  useEffect(() => refresh(), [refresh])
  useFreshSharing(reading)
  const [wasThere, setThere] = useState(false)
  const active = state.is === "done" ? state.value : undefined
  const link = active?.find(({ id }) => id === of)
  const views = useLinkViews(link === undefined ? [] : [link], state.is === "done" ? state.at : undefined)
  useEffect(() => {
    if (link !== undefined) setThere(true)
  }, [link])
  if (active === undefined) return null
  return (
    <>
      <TrackNews active={active} />
      {link?.steps === null || link === undefined
        ? wasThere
          ? <Notice kind="warning" live>{made.ended}</Notice>
          : null
        : (
          <section className="card stack">
            <LinkTrack steps={link.steps} now={state.is === "done" ? state.at : since} />
            <ViewedVia viewed={views.get(of)} />
          </section>
        )}
    </>
  )
}
