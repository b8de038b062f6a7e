import { useEffect, useId, useState, useSyncExternalStore } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { waitOf } from "../../shared/Words.ts"
import { Causes, saidOnce } from "./Causes.tsx"
import { KindRows } from "./KindRows.tsx"
import type { RunningUpdate, UpdateState } from "./RunningUpdate.ts"
import { UpdateEnd } from "./UpdateEnd.tsx"
import { endWords } from "./UpdateWords.ts"
import { useUpdateWords } from "./Words.ts"
import type { UpdateWords } from "./words/English.ts"
import "./update.css"

/** An update from its begin to its end. */
export const UpdateProgress = ({ update }: { readonly update: RunningUpdate }) => {
  const state = useSyncExternalStore(update.subscribe, update.current)
  return (
    <>
      {state.phase === "running"
        ? <Running state={state} stop={update.stop} />
        : <UpdateEnd key={state.phase} state={state} again={update.again} />}
      <Ended state={state} />
    </>
  )
}

const Running = ({ state, stop }: { readonly state: UpdateState; readonly stop: () => void }) => {
  const { running: words } = useUpdateWords()
  const id = useId()
  const all = [...state.kinds.values()]
  const loaded = all.reduce((sum, { count }) => sum + count, 0)
  const done = all.filter(({ step }) => !["open", "loading", "paused", "sending"].includes(step)).length
  return (
    <>
      <Heading>{words.title}</Heading>
      <p>
        {words.keepOpen} {screenWords(words, state.staysOn)} {words.sent}
      </p>
      <section className="card stack" aria-label={words.progress}>
        <p className="update-loaded">{words.loaded(loaded)}</p>
        <progress aria-labelledby={id} max={Math.max(1, all.length)} value={done} />
        <p className="soft" id={id}>
          {all.length === 0 ? words.starting : words.done(done, all.length)}
        </p>
        <Button kind="outline" onClick={stop}>{words.stop}</Button>
      </section>
      {state.waitingUntil === undefined ? null : (
        <Notice kind="warning" title={words.wait}>
          <p>{words.limit}</p>
          <p>
            {words.goOn[0]} <Countdown until={state.waitingUntil} />
            {words.goOn[1]}
          </p>
        </Notice>
      )}
      <Causes of={all} />
      {all.length === 0 ? null : (
        <section className="card">
          <KindRows label={words.list} of={all} said={saidOnce(all)} />
        </section>
      )}
    </>
  )
}

const screenWords = (words: UpdateWords["running"], staysOn: boolean | undefined) =>
  staysOn === undefined ? "" : staysOn ? words.staysOn : words.keepOn

/** Says a sentence for each kind that ended. A screen reader reads only those that were added. */
const Ended = ({ state }: { readonly state: UpdateState }) => {
  useUpdateWords()
  return (
    <div className="spoken" role="status" aria-atomic="false">
      {state.ended.map((resourceType, index) => {
        const kind = state.kinds.get(resourceType)!
        // oxlint-disable-next-line react/no-array-index-key -- sentences are only added, and a kind may end twice
        return <p key={index}>{endWords(kind)}</p>
      })}
    </div>
  )
}

/** The seconds until a time of the device's clock. It is no live region, because it would be read each second. */
const Countdown = ({ until }: { readonly until: number }) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <b className="number">{waitOf((until - now) / 1000)}</b>
}
