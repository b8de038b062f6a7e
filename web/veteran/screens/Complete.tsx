import { Effect } from "effect"
import { useMemo } from "react"
import { gapsOf } from "../../../src/domain/Completeness.ts"
import { useRead } from "../../shared/Call.ts"
import type { States } from "../../shared/record/glance/Completeness.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { statesOf } from "../record/States.ts"
import { StateTable } from "../record/StateTable.tsx"
import { TryAgain } from "../record/TryAgain.tsx"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import "../record/record.css"

const params = { veteranId: "me" } as const

/** How complete the record is, kind by kind, and what each word means. */
export const Complete = () => {
  const { call } = useSession()
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
        <a className="line-link" href={addressOf({ screen: "record" })}>Back to my record</a>
      </p>
      <Heading>How complete</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done" ? <Shown states={state.value} /> : null}
    </>
  )
}

const Shown = ({ states }: { readonly states: States }) => {
  const gaps = gapsOf(states).length
  return states.sections.length === 0
    ? (
      <section className="card stack">
        <p>No record yet.</p>
        <div className="actions">
          <TryAgain first />
        </div>
      </section>
    )
    : (
      <>
        <section className="card stack">
          <p>
            {gaps === 0
              ? "Every kind is complete."
              : `${gaps === 1 ? "1 kind is" : `${gaps} kinds are`} not complete. Do not read a missing item as “none.”`}
            {" "}
            Providers see the same warnings.
          </p>
          {gaps === 0 ? null : (
            <div className="actions">
              <TryAgain />
            </div>
          )}
          <StateTable states={states} />
        </section>
        <section className="card stack">
          <h2>What the words mean</h2>
          <dl className="meanings">
            {meanings.map(([word, meaning]) => (
              <div key={word}>
                <dt>{word}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      </>
    )
}

const meanings = [
  ["Up to date", "VA gave us all of it at the last update."],
  ["As of a day", "VA gave us all of it on that day, more than a week ago."],
  ["VA has none", "VA told us that it has nothing of this kind."],
  ["Not complete", "VA gave us only a part, so a missing item is not the same as “none.”"],
  ["May be out of date", "The newest update did not finish, so you see what an older one gave us."],
  ["Not loaded", "We could not get it from VA, which is not the same as “none.”"]
] as const
