import { useState, useSyncExternalStore } from "react"
import type { ItemsView } from "../../shared/record/items/ItemsView.ts"
import type { KindFilter } from "../../shared/record/items/Kinds.ts"
import { type OpenRecord, type RecordState, threadEnded } from "../../shared/record/OpenRecord.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf, useRoute } from "../Route.ts"
import { ItemStep } from "./ItemStep.tsx"
import { listedKinds } from "./KindNames.ts"
import { KindStep } from "./KindStep.tsx"
import { Overview } from "./Overview.tsx"
import { useRenewal } from "./Renewal.ts"
import type { StepProperties } from "./StepProperties.ts"
import { useOwnWords } from "./Words.ts"

/** The record that a thread reads, in steps: what matters first, the list of a kind, an item. */
export const OwnRecord = ({ onOpenAgain, record }: {
  readonly record: OpenRecord
  readonly onOpenAgain: () => void
}) => {
  const state = useSyncExternalStore(record.subscribe, record.current)
  const { again, failure } = useRenewal(record, state)
  const { about, loadedAt } = state
  const words = useOwnWords()
  if (failure?.error === threadEnded) {
    return (
      <section className="card stack">
        <Heading>{words.title}</Heading>
        <p role="alert">{words.closed}</p>
        <Action onClick={onOpenAgain}>{words.openAgain}</Action>
      </section>
    )
  }
  const above = (
    <>
      <Offline loadedAt={loadedAt} />
      {failure === undefined
        ? null
        : failure.error === "record_too_large"
        ? <Notice kind="warning" title={words.tooLarge.title}>{words.tooLarge.text}</Notice>
        : <Trouble problem={failure} again={again} />}
    </>
  )
  if (about === undefined) {
    return (
      <section className="card stack">
        <Heading>{words.title}</Heading>
        {above}
        <Loading when={failure === undefined}>{words.opening}</Loading>
      </section>
    )
  }
  // While the session is renewed, nothing has failed for the reader.
  const read: RecordState = state.failure !== undefined && failure === undefined
    ? { ...state, failure: undefined }
    : state
  return <Step record={record} about={about} state={read} above={above} />
}

/** The step of the address. What was searched in a list stays until the record is closed. */
const Step = (properties: StepProperties) => {
  const route = useRoute()
  const [views, setViews] = useState<ReadonlyMap<KindFilter, ItemsView>>(new Map())
  const address = addressOf(route)
  if (route.screen !== "record") return null
  if (route.item !== undefined) return <ItemStep key={address} {...properties} id={route.item} />
  const kind = listedKinds.find((kind) => kind === route.kind)
  return kind === undefined
    ? <Overview key={address} {...properties} />
    : (
      <KindStep
        key={address}
        {...properties}
        kind={kind}
        view={views.get(kind)}
        setView={(view) => setViews(new Map([...views, [kind, view]]))}
      />
    )
}
