import { useMemo } from "react"
import { alerts } from "../../../src/domain/Alert.ts"
import type { Manifest } from "../../../src/domain/Manifest.ts"
import { useRead } from "../../shared/Call.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { daysFrom, momentWords } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import { kindWords } from "../sharing/SharingWords.ts"

/** A record that is older than this number of days is shown in amber. */
const fresh = 30

const params = { veteranId: "me" } as const

/** How new the record is, whether all of it is there, and the way to update it. */
export const RecordCard = () => {
  const { call } = useSession()
  const { again, state } = useRead(useMemo(() => call(({ veteran }) => veteran.me({ params })), [call]))
  return (
    <section className="card stack">
      {state.is === "done"
        ? <Loaded manifest={state.value.fhirSyncManifest} now={state.at} />
        : (
          <>
            <h2>Your record</h2>
            <Loading when={state.is === "pending"} />
            {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
          </>
        )}
    </section>
  )
}

const Loaded = ({ manifest, now }: { readonly manifest: Manifest; readonly now: Date }) => {
  const updated = updatedAt(manifest)
  if (updated === undefined) {
    return (
      <>
        <h2>Your record</h2>
        <p>No record yet</p>
        <div className="actions">
          <a className="usa-button" href={addressOf({ screen: "update" })}>Get my record from VA</a>
        </div>
      </>
    )
  }
  const isOld = daysFrom(updated, now) > fresh
  const missing = alerts(manifest).map(({ resourceType }) => resourceType)
  return (
    <>
      <div className="who">
        <h2>Your record</h2>
        {missing.length > 0
          ? (
            <Tag kind="warn">
              {missing.length === 1 ? "1 kind not complete" : `${missing.length} kinds not complete`}
            </Tag>
          )
          : isOld
          ? null
          : <Tag kind="good">Up to date</Tag>}
        {isOld ? <Tag kind="warn">Last updated {dayWords(updated)}</Tag> : null}
      </div>
      <p>
        {isOld ? null : <strong>Updated {momentWords(updated, now)}.</strong>} {missingWords(missing)}
      </p>
      <div className="actions">
        <a className="usa-button" href={addressOf({ screen: "update" })}>Update now</a>
        {missing.length > 0
          ? (
            <a className="usa-button usa-button--outline" href={addressOf({ screen: "complete" })}>
              See what is missing
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

const missingWords = (types: ReadonlyArray<string>) =>
  types.length === 0
    ? "All kinds are complete."
    : types.length > 3
    ? `${types.length} kinds could not all be loaded.`
    : `${kindWords(types)} could not all be loaded.`
