import { useMemo, useState } from "react"
import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { useRead } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { allEntries } from "../record/Entries.ts"
import { EntryForm } from "../record/EntryForm.tsx"
import { EntryList } from "../record/EntryList.tsx"
import { RemoveEntry } from "../record/RemoveEntry.tsx"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import "../record/record.css"

/** What the screen shows beside the list. */
type Doing =
  | { readonly is: "nothing" }
  | { readonly is: "writing"; readonly entry: Entry | undefined }
  | { readonly is: "removing"; readonly entry: Entry }

const nothing: Doing = { is: "nothing" }

/** The veteran's own words: a list by kind, which the veteran adds to, changes and removes from. */
export const Words = () => {
  const { call } = useSession()
  const reading = useMemo(() => call(allEntries), [call])
  const { again, refresh, state } = useRead(reading)
  const [doing, setDoing] = useState<Doing>(nothing)
  const [told, setTold] = useState("")
  const off = useOffReason()
  const begin = (doing: Doing) => {
    setTold("")
    setDoing(doing)
  }
  const end = (words: string) => {
    setDoing(nothing)
    setTold(words)
    refresh()
    document.querySelector<HTMLElement>("h1")?.focus()
  }
  const cancel = () => {
    setDoing(nothing)
    document.querySelector<HTMLElement>("h1")?.focus()
  }
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record" })}>Back to my record</a>
      </p>
      <Heading>My own words</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <p>Providers you share this with see it marked as yours.</p>
      <p role="status">{told}</p>
      {doing.is === "writing"
        ? <EntryForm key={doing.entry?.id} entry={doing.entry} onCancel={cancel} onSaved={() => end("Saved.")} />
        : (
          <div className="actions">
            <Button off={off} onClick={() => begin({ is: "writing", entry: undefined })}>Add my own words</Button>
          </div>
        )}
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is !== "done" ? null : (
        <>
          {state.trouble === undefined ? null : <Trouble problem={state.trouble} again={refresh} />}
          <EntryList
            entries={state.value}
            off={off}
            onChange={(entry) => begin({ is: "writing", entry })}
            onRemove={(entry) => begin({ is: "removing", entry })}
          />
        </>
      )}
      {doing.is === "removing"
        ? <RemoveEntry entry={doing.entry} onKeep={() => setDoing(nothing)} onRemoved={() => end("Removed.")} />
        : null}
    </>
  )
}
