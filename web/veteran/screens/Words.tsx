import { useEffect, useState } from "react"
import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { useDraft } from "../../shared/Drafts.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { allEntries } from "../record/Entries.ts"
import { draftOf, type EntryDraft, EntryForm } from "../record/EntryForm.tsx"
import { EntryList } from "../record/EntryList.tsx"
import { RemoveEntry } from "../record/RemoveEntry.tsx"
import { useOwnWords } from "../record/Words.ts"
import { addressOf } from "../Route.ts"
import { useOwnRead } from "../session/Own.ts"
import "../record/record.css"
import "../share/share.css"

/** The veteran's own words: a list by kind, which the veteran adds to, changes and removes from. */
export const Words = () => {
  const { back, own: ours } = useOwnWords()
  const reading = useOwnRead(allEntries)
  const { refresh, state } = reading
  const [draft, setDraft] = useDraft<EntryDraft | undefined>("own words", undefined, true)
  const [removing, setRemoving] = useState<Entry>()
  const [told, setTold] = useState<{ readonly words: string }>()
  const off = useOffReason()
  // A dialog gives the focus back when it closes, to a button that may be gone.
  useEffect(() => {
    if (told !== undefined) document.querySelector<HTMLElement>("h1")?.focus()
  }, [told])
  const write = (entry?: Entry) => {
    setTold(undefined)
    setDraft(draftOf(entry))
  }
  const end = (words: string) => {
    setDraft(undefined)
    setRemoving(undefined)
    setTold({ words })
  }
  const done = (words: string) => {
    end(words)
    refresh()
  }
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record" })}>{back}</a>
      </p>
      <Heading>{ours.title}</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <p>{ours.seenAll}</p>
      <p role="status">{told?.words}</p>
      {draft === undefined
        ? <Action off={off} onClick={() => write()}>{ours.add}</Action>
        : (
          <EntryForm
            key={draft.entry?.id}
            draft={draft}
            onDraft={setDraft}
            onCancel={() => end("")}
            onSaved={() => done(ours.saved)}
          />
        )}
      <Reading of={reading} refresh={refresh}>
        {(entries) => <EntryList entries={entries} off={off !== undefined} onChange={write} onRemove={setRemoving} />}
      </Reading>
      {removing === undefined
        ? null
        : <RemoveEntry entry={removing} onKeep={() => setRemoving(undefined)} onRemoved={() => done(ours.removed)} />}
    </>
  )
}
