import { useEffect, useMemo, useState } from "react"
import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { useRead } from "../../shared/Call.ts"
import { useDraft } from "../../shared/Drafts.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { allEntries } from "../record/Entries.ts"
import { draftOf, type EntryDraft, EntryForm } from "../record/EntryForm.tsx"
import { EntryList } from "../record/EntryList.tsx"
import { RemoveEntry } from "../record/RemoveEntry.tsx"
import { useOwnWords } from "../record/Words.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import "../record/record.css"

/** The veteran's own words: a list by kind, which the veteran adds to, changes and removes from. */
export const Words = () => {
  const { call } = useSession()
  const { back, own: ours } = useOwnWords()
  const reading = useMemo(() => call(allEntries), [call])
  const { again, refresh, state } = useRead(reading)
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
        ? (
          <div className="actions">
            <Button off={off} onClick={() => write()}>{ours.add}</Button>
          </div>
        )
        : (
          <EntryForm
            key={draft.entry?.id}
            draft={draft}
            onDraft={setDraft}
            onCancel={() => end("")}
            onSaved={() => done(ours.saved)}
          />
        )}
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is !== "done" ? null : (
        <>
          {state.trouble === undefined ? null : <Trouble problem={state.trouble} again={refresh} />}
          <EntryList
            entries={state.value}
            off={off !== undefined}
            onChange={write}
            onRemove={setRemoving}
          />
        </>
      )}
      {removing === undefined
        ? null
        : <RemoveEntry entry={removing} onKeep={() => setRemoving(undefined)} onRemoved={() => done(ours.removed)} />}
    </>
  )
}
