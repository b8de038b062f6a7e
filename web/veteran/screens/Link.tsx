import { useEffect, useState } from "react"
import { useDraft } from "../../shared/Drafts.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Done } from "../account/Done.tsx"
import "../link/link.css"
import { draftFor, isRelease, type LinkDraft, type Release } from "../link/LinkDraft.ts"
import { LinkForm } from "../link/LinkForm.tsx"
import { LostLink } from "../link/LostLink.tsx"
import { MadeLink } from "../link/MadeLink.tsx"
import { useMaking } from "../link/Making.ts"
import { useLinkWords } from "../link/Words.ts"
import { addressOf } from "../Route.ts"
import "../share/share.css"
import { type ActiveSharing, useActiveSharing } from "../sharing/ActiveSharing.ts"
import "../sharing/sharing.css"

/** S12: makes a link to a signed release, and shows it once. */
export const Link = ({ document }: { readonly document: string }) => {
  const words = useLinkWords()
  const reading = useActiveSharing()
  const { state } = reading
  const found = state.is === "done" ? state.value.find(({ id }) => id === document) : undefined
  // The screen goes on with what it began with: a release that ends meanwhile must not take the new link away.
  const [begun, setBegun] = useState<Begun>()
  useEffect(() => {
    if (begun === undefined && state.is === "done" && found !== undefined && isRelease(found)) {
      setBegun({ release: found, now: state.at })
    }
  }, [begun, found, state])
  if (begun !== undefined) return <Maker begun={begun} reading={reading} />
  return (
    <>
      <Heading>{words.title}</Heading>
      <Offline />
      <Reading of={reading} loading={words.loading}>
        {() =>
          found !== undefined && isRelease(found) ? null : (
            <section className="card stack">
              <p>{words.ended}</p>
              <div className="actions">
                <a className="usa-button" href={addressOf({ screen: "release" })}>{words.signRelease}</a>
                <a className="usa-button usa-button--outline" href={addressOf({ screen: "sharing" })}>
                  {words.openSharing}
                </a>
              </div>
            </section>
          )}
      </Reading>
    </>
  )
}

interface Begun {
  readonly release: Release
  readonly now: Date
}

const Maker = ({ begun: { now, release }, reading }: {
  readonly begun: Begun
  readonly reading: ActiveSharing
}) => {
  const words = useLinkWords()
  const address = addressOf({ screen: "link", document: release.id })
  const [usual] = useState(() => draftFor(release, now))
  const [draft, change] = useDraft<LinkDraft>(address, usual)
  const [isOff, setOff] = useState(false)
  const { begin, busy, how, make, making } = useMaking(release)
  // A lock takes the screen away and keeps its address. Anything else that takes it away ends the form.
  useEffect(() => () => {
    if (location.hash !== address) change(usual)
  }, [address, change, usual])
  const { refresh, state } = reading
  const [settled, setSettled] = useState<ReadonlyArray<string>>([])
  const restart = (off: boolean, id?: string) => {
    setOff(off)
    if (id !== undefined) setSettled((before) => [...before, id])
    refresh()
    begin()
  }
  const shared = state.is === "done" ? state.value : []
  const known = [...shared.map(({ id }) => id), ...settled]
  switch (making.is) {
    case "made":
      return (
        <MadeLink
          address={address}
          made={making.made}
          how={making.how}
          reading={reading}
          onAgain={() => restart(false)}
        />
      )
    case "lost":
      return (
        <LostLink
          attempt={making.attempt}
          release={release.id}
          since={making.since}
          onNone={() => restart(false)}
          onKept={(id) => restart(false, id)}
          onOff={(id) => restart(true, id)}
        />
      )
    case "form":
      return (
        <>
          <Offline />
          <Done>{isOff ? words.lost.stopped : undefined}</Done>
          <LinkForm
            release={release}
            before={shared.filter(({ releaseId }) => releaseId === release.id).length}
            now={now}
            draft={draft}
            change={change}
            busy={busy}
            how={how}
            make={(attempt) => make({ ...attempt, known })}
            refusal={making.refusal}
          />
        </>
      )
  }
}
