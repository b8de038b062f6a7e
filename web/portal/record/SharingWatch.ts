import { Effect } from "effect"
import type { Patient } from "../../../src/domain/Patient.ts"
import { type Outcome, run } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"

/** What is known of whether the patient still shares. */
export type Sharing =
  | { readonly is: "asking" }
  | { readonly is: "unknown"; readonly problem: Problem }
  | {
    readonly is: "shared"
    /** Which grants, the newest first: with others, the record is another one. */
    readonly grants: string
    /** By the clock of this machine, no grant is known to last longer. */
    readonly until: number
    /** When the service said so last. */
    readonly at: number
    /** Why it could not be asked since. */
    readonly problem?: Problem
  }
  | { readonly is: "ended" }

export interface SharingState {
  readonly sharing: Sharing
  /** What is known is so old that the record may not be seen before the service was asked. */
  readonly isStale: boolean
}

type Grants = { readonly items: ReadonlyArray<typeof Patient.Type> }

/** How often the service is asked while the record is shown, and while its tab is hidden, in milliseconds. */
const [whileSeen, whileHidden] = [15_000, 60_000]

/** Longer ago, a record that comes back into sight is not shown before the service was asked. */
const stillFresh = 20_000

/** A call that hangs is as good as none. */
const patience = 8_000

/**
 * Asks again and again whether the patient still shares, so that a record leaves the screen though nobody touches it. It costs the
 * service one statement, and tells nobody that somebody looked.
 */
export class SharingWatch {
  private state: SharingState = { sharing: { is: "asking" }, isStale: false }
  private read: () => Effect.Effect<Grants, unknown> = () => Effect.never
  private readonly listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private stop = () => {}

  readonly current = () => this.state

  readonly subscribe = (changed: () => void) => {
    this.listeners.add(changed)
    return () => void this.listeners.delete(changed)
  }

  /** How the grants of the patient are read: a renewed session has another way. */
  readWith(read: () => Effect.Effect<Grants, unknown>) {
    this.read = read
  }

  /** Asks from now on, and at once whenever the record comes back into sight or the network back; answers how to stop. */
  begin() {
    this.ask()
    document.addEventListener("visibilitychange", this.seen)
    addEventListener("pageshow", this.seen)
    addEventListener("focus", this.seen)
    addEventListener("online", this.ask)
    return () => {
      document.removeEventListener("visibilitychange", this.seen)
      removeEventListener("pageshow", this.seen)
      removeEventListener("focus", this.seen)
      removeEventListener("online", this.ask)
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
      const sharing = after(this.state.sharing, outcome)
      this.set({ sharing, isStale: false })
      if (sharing.is === "ended") return
      const wait = document.hidden ? whileHidden : whileSeen
      const left = sharing.is === "shared" ? Math.max(sharing.until - Date.now(), 1_000) : wait
      this.timer = setTimeout(this.ask, Math.min(wait, left))
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

const after = (before: Sharing, outcome: Outcome<Grants>): Sharing => {
  if (outcome.is === "done") {
    const grants = outcome.value.items.map(({ grant }) => grant)
    return grants.length === 0 ? { is: "ended" } : {
      is: "shared",
      grants: grants.map(({ id }) => id).join(" "),
      until: Math.max(...grants.map(({ expiresAt }) => expiresAt.getTime())),
      at: Date.now()
    }
  }
  const { problem } = outcome
  if (problem.error === "consent_required") return { is: "ended" }
  if (before.is !== "shared") return { is: "unknown", problem }
  // Without an answer, what was known is believed until its end.
  return before.until <= Date.now() ? { is: "ended" } : { ...before, problem }
}
