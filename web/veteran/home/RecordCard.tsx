import { alerts } from "../../../src/domain/Alert.ts"
import type { Manifest } from "../../../src/domain/Manifest.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { NewLink } from "../account/NewLink.tsx"
import type { Client } from "../AppClient.ts"
import { daysFrom, momentWords } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { kindWords } from "../sharing/SharingWords.ts"
import { useHomeWords } from "./Words.ts"
import type { HomeWords } from "./words/English.ts"

/** A record that is older than this number of days is shown in amber. */
const fresh = 30

const readVeteran = ({ veteran }: Client) => veteran.me({ params: me })

/** How new the record is, whether all of it is there, and the way to update it. */
export const RecordCard = () => {
  const { record } = useHomeWords()
  const reading = useOwnRead(readVeteran)
  const { state } = reading
  return (
    <section className="card stack">
      {state.is === "done"
        ? <Loaded manifest={state.value.fhirSyncManifest} now={state.at} />
        : (
          <>
            <h2>{record.title}</h2>
            <Reading of={reading} />
          </>
        )}
    </section>
  )
}

const Loaded = ({ manifest, now }: { readonly manifest: Manifest; readonly now: Date }) => {
  const { record } = useHomeWords()
  const updated = updatedAt(manifest)
  if (updated === undefined) {
    return (
      <>
        <h2>{record.title}</h2>
        <p>{record.none}</p>
        <div className="actions">
          <NewLink to={{ screen: "update" }}>{record.get}</NewLink>
        </div>
      </>
    )
  }
  const isOld = daysFrom(updated, now) > fresh
  const missing = alerts(manifest).map(({ resourceType }) => resourceType)
  return (
    <>
      <div className="who">
        <h2>{record.title}</h2>
        {missing.length > 0
          ? (
            <Tag kind="warn">
              {record.notComplete(missing.length)}
            </Tag>
          )
          : isOld
          ? null
          : <Tag kind="good">{record.upToDate}</Tag>}
        {isOld ? <Tag kind="warn">{record.lastUpdated(dayWords(updated))}</Tag> : null}
      </div>
      <p>
        {isOld ? null : <strong>{record.updated(momentWords(updated, now))}</strong>} {missingWords(missing, record)}
      </p>
      <div className="actions">
        <NewLink to={{ screen: "update" }}>{record.update}</NewLink>
        {missing.length > 0
          ? (
            <a className="usa-button usa-button--outline" href={addressOf({ screen: "complete" })}>
              {record.seeMissing}
            </a>
          )
          : null}
      </div>
    </>
  )
}

/** The last time at which a kind was loaded whole, or tried if none ever was. */
const updatedAt = (manifest: Manifest) => {
  const entries = Object.values(manifest)
  const latest = (times: ReadonlyArray<Date>) => times.toSorted((a, b) => b.getTime() - a.getTime())[0]
  return latest(entries.flatMap(({ lastCompleteAt }) => lastCompleteAt ?? [])) ??
    latest(entries.map(({ lastFetchAt }) => lastFetchAt))
}

const missingWords = (types: ReadonlyArray<string>, words: HomeWords["record"]) =>
  types.length === 0
    ? words.complete
    : types.length > 3
    ? words.manyMissing(types.length)
    : words.missing(kindWords(types))
