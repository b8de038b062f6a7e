import { Effect } from "effect"
import { useMemo } from "react"
import { gapsOf } from "../../../src/domain/Completeness.ts"
import { useRead } from "../../shared/Call.ts"
import type { States } from "../../shared/record/glance/Completeness.ts"
import { useRecordWords } from "../../shared/record/RecordLanguage.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { statesOf } from "../record/States.ts"
import { StateTable } from "../record/StateTable.tsx"
import { TryAgain } from "../record/TryAgain.tsx"
import { useOwnWords } from "../record/Words.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import "../record/record.css"

const params = { veteranId: "me" } as const

/** How complete the record is, kind by kind, and what each word means. */
export const Complete = () => {
  const { call } = useSession()
  const words = useOwnWords()
  const reading = useMemo(() =>
    call(({ healthRecord }) =>
      Effect.zipWith(
        healthRecord.manifest({ params }),
        healthRecord.alerts({ params }),
        (manifest, alerts) => statesOf(manifest, alerts.items),
        { concurrent: true }
      )
    ), [call])
  const { again, state } = useRead(reading)
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record" })}>{words.back}</a>
      </p>
      <Heading>{words.complete.title}</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done" ? <Shown states={state.value} /> : null}
    </>
  )
}

const Shown = ({ states }: { readonly states: States }) => {
  const { complete: words, none } = useOwnWords()
  const gaps = gapsOf(states).length
  return states.sections.length === 0
    ? (
      <section className="card stack">
        <p>{none}</p>
        <div className="actions">
          <TryAgain first />
        </div>
      </section>
    )
    : (
      <>
        <section className="card stack">
          <p>
            {gaps === 0 ? words.all : words.gaps(gaps)} {words.providers}
          </p>
          {gaps === 0 ? null : (
            <div className="actions">
              <TryAgain />
            </div>
          )}
          <StateTable states={states} />
        </section>
        <section className="card stack">
          <h2>{words.meanings}</h2>
          <Meanings />
        </section>
      </>
    )
}

const Meanings = () => {
  const { card, complete: words } = useOwnWords()
  const { standings } = useRecordWords()
  return (
    <dl className="meanings">
      {[
        [standings.current, words.upToDate],
        [words.asOf.word, words.asOf.meaning],
        [card.vaNone, words.vaNone],
        [standings.incomplete, words.incomplete],
        [standings.old, words.old],
        [standings.missing, words.missing]
      ].map(([word, meaning]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
