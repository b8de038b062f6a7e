import { Effect } from "effect"
import { gapsOf } from "../../../src/domain/Completeness.ts"
import type { States } from "../../shared/record/glance/Completeness.ts"
import { useRecordWords } from "../../shared/record/RecordLanguage.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import type { Client } from "../AppClient.ts"
import { statesOf } from "../record/States.ts"
import { StateTable } from "../record/StateTable.tsx"
import { TryAgain } from "../record/TryAgain.tsx"
import { useOwnWords } from "../record/Words.ts"
import { addressOf } from "../Route.ts"
import { me, useOwnRead } from "../session/Own.ts"
import "../record/record.css"

const readStates = ({ healthRecord }: Client) =>
  Effect.zipWith(
    healthRecord.manifest({ params: me }),
    healthRecord.alerts({ params: me }),
    (manifest, alerts) => statesOf(manifest, alerts.items),
    { concurrent: true }
  )

/** How complete the record is, kind by kind, and what each word means. */
export const Complete = () => {
  const words = useOwnWords()
  const reading = useOwnRead(readStates)
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record" })}>{words.back}</a>
      </p>
      <Heading>{words.complete.title}</Heading>
      <Offline loadedAt={reading.state.is === "done" ? reading.state.at : undefined} />
      <Reading of={reading}>{(states) => <Shown states={states} />}</Reading>
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
