import { Effect } from "effect"
import { useEffect, useState, useSyncExternalStore } from "react"
import { grantLimits } from "../../../src/domain/ConsentGrant.ts"
import type { VeteranId } from "../../../src/domain/Id.ts"
import type { Patient } from "../../../src/domain/Patient.ts"
import { type Outcome, run } from "../../shared/Call.ts"
import { listen } from "../../shared/Listen.ts"
import type { Problem } from "../../shared/Problem.ts"
import { type Share, sharesOf } from "../patients/Share.ts"
import { useSession } from "../session/Session.ts"

/** What is known about the patient's sharing. */
type Sharing =
  | { readonly is: "asking" }
  | { readonly is: "unknown"; readonly problem: Problem }
  | {
    readonly is: "shared"
    /** The ids of the grants, newest first. If they change, the record must be read anew. */
    readonly grants: string
    /** When the last known grant ends, by this computer's clock. */
    readonly until: number
    /** When the service last confirmed the share. */
    readonly at: number
    readonly patient: Share
    /** Why the latest request failed. */
    readonly problem?: Problem
  }
  | { readonly is: "ended" }

interface SharingState {
  readonly sharing: Sharing
  /** True if the last answer is so old that the record stays hidden until the next one. */
  readonly isStale: boolean
}

type Grants = { readonly items: ReadonlyArray<typeof Patient.Type> }

/** Whether a grant shares what the page shows. */
type Counts = (grant: typeof Patient.Type["grant"]) => boolean

/** Milliseconds between requests while the record is visible, and while its tab is hidden. */
const [whileSeen, whileHidden] = [15_000, 60_000]

/**
 * Milliseconds. If the last answer is older, a record that becomes visible again stays hidden until the next answer.
 */
const stillFresh = 20_000

/** Milliseconds after which a call counts as failed. */
const patience = 8_000

/**
 * Asks repeatedly whether the patient still shares, so that a record leaves the screen even if nobody touches it. Each
 * request reads the grants and what the list says of the patient, and is not recorded as a view.
 */
class SharingWatch {
  private state: SharingState = { sharing: { is: "asking" }, isStale: false }
  private read: () => Effect.Effect<Grants, unknown> = () => Effect.never
  private readonly listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private stop = () => {}
  private readonly counts: Counts

  constructor(counts: Counts) {
    this.counts = counts
  }

  readonly current = () => this.state

  readonly subscribe = (changed: () => void) => {
    this.listeners.add(changed)
    return () => void this.listeners.delete(changed)
  }

  /** Sets the call that reads the patient's grants. It is set again for each new session. */
  readWith(read: () => Effect.Effect<Grants, unknown>) {
    this.read = read
  }

  /**
   * Asks now, at intervals, and whenever the record becomes visible or the network is back. Returns a function that
   * stops the asking.
   */
  begin() {
    this.ask()
    const stops = [
      listen({ visibilitychange: this.seen }, document),
      listen({ pageshow: this.seen, focus: this.seen, online: this.ask })
    ]
    return () => {
      stops.forEach((stop) => stop())
      clearTimeout(this.timer)
      this.stop()
    }
  }

  readonly end = () => this.set({ sharing: { is: "ended" }, isStale: false })

  readonly ask = () => {
    clearTimeout(this.timer)
    this.stop()
    if (this.state.sharing.is === "ended") return
    this.stop = run(Effect.timeout(this.read(), patience), (outcome) => {
      const sharing = after(this.state.sharing, outcome, this.counts)
      this.set({ sharing, isStale: false })
      if (sharing.is === "ended") return
      const wait = document.hidden ? whileHidden : whileSeen
      const untilEnd = sharing.is === "shared" ? Math.max(sharing.until - Date.now(), 1_000) : wait
      this.timer = setTimeout(this.ask, Math.min(wait, untilEnd))
    })
  }

  private readonly seen = () => {
    const { sharing } = this.state
    if (document.hidden) return
    if (sharing.is === "shared" && Date.now() - sharing.at > stillFresh) this.set({ sharing, isStale: true })
    this.ask()
  }

  private set(state: SharingState) {
    this.state = state
    for (const changed of this.listeners) changed()
  }
}

const after = (before: Sharing, outcome: Outcome<Grants>, counts: Counts): Sharing => {
  if (outcome.is === "done") {
    const { items } = outcome.value
    const grants = items.map(({ grant }) => grant).filter(counts)
    return grants.length === 0 ? { is: "ended" } : {
      is: "shared",
      grants: grants.map(({ id }) => id).join(" "),
      until: Math.max(...grants.map(({ expiresAt }) => expiresAt.getTime())),
      at: Date.now(),
      patient: sharesOf(items)[0]!
    }
  }
  const { problem } = outcome
  if (problem.error === "consent_required") return { is: "ended" }
  if (before.is !== "shared") return { is: "unknown", problem }
  // Without an answer, the last known grants hold until they end.
  return before.until <= Date.now() ? { is: "ended" } : { ...before, problem }
}

const any: Counts = () => true

/** Watches a patient's grants while the page is shown: all of them, or those that count for it. */
export const useSharing = (veteranId: string, counts = any) => {
  const { call } = useSession()
  const [watch] = useState(() => new SharingWatch(counts))
  const state = useSyncExternalStore(watch.subscribe, watch.current)
  useEffect(() => {
    const query = { veteranId: veteranId as VeteranId, limit: grantLimits.perProvider }
    watch.readWith(() => call(({ patients }) => patients.list({ query })))
  }, [call, veteranId, watch])
  useEffect(() => watch.begin(), [watch])
  return { ...state, ask: watch.ask, end: watch.end }
}
