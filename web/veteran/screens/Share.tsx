import { useEffect, useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { useDraft } from "../../shared/Drafts.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { addressOf } from "../Route.ts"
import { newDraft } from "../share/Draft.ts"
import type { Given } from "../share/Giving.ts"
import { useReplaced } from "../share/Replaced.ts"
import "../share/share.css"
import { lastStep } from "../share/Step.ts"
import { type BegunShare, Wizard } from "../share/Wizard.tsx"
import { useShareWords } from "../share/Words.ts"
import "../sharing/sharing.css"

const fresh: BegunShare = { draft: newDraft, step: 0 }

/** S10: shares with a provider in five steps, or changes the share whose grant `replaces` names. */
export const Share = ({ replaces }: { readonly replaces?: string }) => {
  const address = addressOf({ screen: "share", ...(replaces === undefined ? {} : { replaces }) })
  const [kept, keep] = useDraft<BegunShare | undefined>(address, undefined)
  const [begin] = useState(kept)
  const [given, setGiven] = useState<Given>()
  // A lock takes the screen away and keeps its address. Anything else that takes it away ends the share.
  useEffect(() => () => {
    if (location.hash !== address) keep(undefined)
  }, [address, keep])
  const wizard = {
    keep,
    replaces,
    onGiven: (made: Given) => {
      keep(undefined)
      setGiven(made)
    }
  }
  return (
    <>
      <Offline />
      {given !== undefined
        ? <Done given={given} />
        : begin !== undefined || replaces === undefined
        ? <Wizard {...wizard} begin={begin ?? fresh} />
        : <Change {...wizard} replaces={replaces} />}
    </>
  )
}

const Change = (wizard: Omit<Parameters<typeof Wizard>[0], "begin"> & { readonly replaces: string }) => {
  const { change, refused } = useShareWords()
  const reading = useReplaced(wizard.replaces)
  const { state } = reading
  if (state.is === "done" && state.value !== undefined) {
    return <Wizard {...wizard} begin={{ draft: state.value, step: lastStep }} />
  }
  return (
    <>
      <Heading>{change.heading}</Heading>
      <Reading of={reading}>
        {() => (
          <section className="card stack">
            <p>{change.over}</p>
            <div className="actions">
              <a className="usa-button" href={addressOf({ screen: "share" })}>{change.again}</a>
              <a className="usa-button usa-button--outline" href={addressOf({ screen: "sharing" })}>
                {refused.sharing}
              </a>
            </div>
          </section>
        )}
      </Reading>
    </>
  )
}

const Done = ({ given: { expiresAt, recipient } }: { readonly given: Given }) => {
  const { done, home } = useShareWords()
  return (
    <>
      <Heading>
        <bdi>{recipient.displayName}</bdi> {done.until(dayWords(expiresAt))}
      </Heading>
      <p>{done.text}</p>
      <div className="actions">
        <a className="usa-button" href={addressOf({ screen: "sharing" })}>{done.see}</a>
        <a className="usa-button usa-button--outline" href={addressOf({ screen: "home" })}>{home}</a>
      </div>
    </>
  )
}
