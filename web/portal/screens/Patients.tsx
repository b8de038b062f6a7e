import { Effect } from "effect"
import { useEffect, useMemo, useRef, useState } from "react"
import { allPages } from "../../shared/AllPages.ts"
import { askAgain } from "../../shared/AskAgain.ts"
import { useRead } from "../../shared/Call.ts"
import { timeWords } from "../../shared/Dates.ts"
import { Action, Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { problemWords } from "../../shared/Words.ts"
import { NobodyShares } from "../patients/NobodyShares.tsx"
import "../patients/patients.css"
import { PatientTable } from "../patients/PatientTable.tsx"
import { endingSoon, isFound, nameOf, type Share, sharesOf } from "../patients/Share.ts"
import { type Session, useSession } from "../session/Session.ts"

const refreshedEvery = 60_000

/** All pages of the list, so that the search finds every patient. */
const allPatients = ({ call }: Session) =>
  Effect.map(allPages((query) => call(({ patients }) => patients.list({ query }))), sharesOf)

/** The patients who share with the provider. */
export const Patients = ({ onSearch, search }: {
  /** The text in the search field. It is kept while the provider looks at a record. */
  readonly search: string
  readonly onSearch: (search: string) => void
}) => {
  const session = useSession()
  const { again, refresh, state } = useRead(useMemo(() => allPatients(session), [session]))
  useEffect(() => {
    const refreshSeen = () => document.visibilityState === "visible" && navigator.onLine ? refresh() : undefined
    return askAgain(refreshSeen, refreshedEvery)
  }, [refresh])
  return (
    <section className="card stack">
      <Heading>Patients who share with you</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <Loading when={state.is === "pending"}>Loading your patients</Loading>
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done" && state.trouble !== undefined
        ? (
          <Notice kind="warning" live title={`This list is as of ${timeWords(state.at)}`}>
            {problemWords(state.trouble).title}. We try again each minute.
          </Notice>
        )
        : null}
      {state.is === "done" ? <Shares shares={state.value} now={state.at} search={search} onSearch={onSearch} /> : null}
    </section>
  )
}

const Shares = ({ now, onSearch, search, shares }: {
  readonly now: Date
  readonly shares: ReadonlyArray<Share>
  readonly search: string
  readonly onSearch: (search: string) => void
}) => {
  const { provider } = useSession()
  const [filters, setFilters] = useState<ReadonlySet<string>>(new Set())
  const departed = useDeparted(shares)
  const choices = [
    { words: "New since you last looked", has: ({ isNew }: Share) => isNew },
    { words: "Ending this week", has: (share: Share) => endingSoon(share, now) !== undefined }
  ]
  const chosen = choices.filter(({ words }) => filters.has(words))
  const matches = shares.filter((share) => chosen.every(({ has }) => has(share)) && isFound(share, search))
  return (
    <>
      <div role="status">{departed.length > 0 ? <Notice kind="info">{departedWords(departed)}</Notice> : null}</div>
      {shares.length === 0 ? <NobodyShares email={provider.email} /> : (
        <>
          <div className="patients-search">
            <Field
              label="Search by call sign, name or birth date"
              type="search"
              autoComplete="off"
              value={search}
              onChange={(event) => onSearch(event.target.value)}
            />
            {choices.map(({ has, words }) => (
              <Button
                key={words}
                kind="outline"
                aria-pressed={filters.has(words)}
                onClick={() => setFilters(filters.symmetricDifference(new Set([words])))}
              >
                {words} ({shares.filter(has).length})
              </Button>
            ))}
          </div>
          <p className="soft" role="status">{countWords(matches.length, shares.length)}</p>
          {matches.length > 0
            ? <PatientTable key={`${[...filters].join()} ${search}`} shares={matches} now={now} />
            : (
              <Action
                kind="outline"
                onClick={() => {
                  onSearch("")
                  setFilters(new Set())
                  document.querySelector<HTMLElement>("h1")?.focus()
                }}
              >
                Show all patients
              </Action>
            )}
        </>
      )}
    </>
  )
}

const countWords = (matches: number, all: number) =>
  matches === all ? `${all} patient${all === 1 ? "" : "s"}` : `${matches === 0 ? "None" : matches} of ${all} patients`

/** The patients whose shares ended while the list was shown. */
const useDeparted = (shares: ReadonlyArray<Share>) => {
  const before = useRef(shares)
  const [departed, setDeparted] = useState<ReadonlyArray<string>>([])
  useEffect(() => {
    const there = new Set(shares.map(({ veteranId }) => veteranId))
    const gone = before.current.filter(({ veteranId }) => !there.has(veteranId)).map(nameOf)
    before.current = shares
    if (gone.length > 0) setDeparted(gone)
  }, [shares])
  return departed
}

const names = new Intl.ListFormat("en-US", { type: "conjunction" })

const departedWords = (departed: ReadonlyArray<string>) => {
  const named = departed.length > 3 ? [...departed.slice(0, 2), `${departed.length - 2} others`] : departed
  return `${names.format(named)} no longer share${departed.length === 1 ? "s" : ""} with you.`
}
