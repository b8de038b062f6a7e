import { useCallback, useEffect, useRef, useState } from "react"
import { useDraft } from "../../shared/Drafts.ts"
import { newRelease, type ReleaseDraft } from "./Draft.ts"

/** The steps of a release, in their order. */
export const step = { who: 0, what: 1, until: 2, preview: 3, sign: 4 } as const

export type Step = (typeof step)[keyof typeof step]

/** A signing whose outcome is not known. It holds nothing of what the release carries. */
export interface Attempt {
  /** The releases that there were before. */
  readonly known: ReadonlyArray<string>
  /** Tells the release among others (`OwnRelease.ts`). */
  readonly digest: string
  readonly recipient: string
  /** When it began, in milliseconds. */
  readonly at: number
}

/** A release that is being made, and the step at which it stands. */
export interface BegunRelease {
  readonly draft: ReleaseDraft
  readonly step: Step
  readonly attempt: Attempt | undefined
}

/** What may tell about health, and leaves the memory when the app locks (contract, 14.8). */
interface HealthParts extends Pick<ReleaseDraft, "categories"> {
  readonly reason: string
  readonly event: string
}

interface Kept extends BegunRelease {
  /** The first step with health parts, if there is one. */
  readonly healthAt: Step | undefined
}

const partsOf = ({ categories, purpose, until }: ReleaseDraft): HealthParts => ({
  categories,
  reason: purpose.text,
  event: until.is === "event" ? until.event : ""
})

const withParts = (draft: ReleaseDraft, { categories, event, reason }: HealthParts): ReleaseDraft => ({
  ...draft,
  categories,
  purpose: { ...draft.purpose, text: reason },
  until: draft.until.is === "event" ? { is: "event", event } : draft.until
})

const noParts: HealthParts = { categories: [], reason: "", event: "" }

const healthAt = ({ categories, event, reason }: HealthParts): Step | undefined =>
  reason !== "" ? step.who : categories.length > 0 ? step.what : event !== "" ? step.until : undefined

/**
 * Keeps an unsigned release in memory, so that a lock and a sign-in of the same veteran find it again. `begun` is what
 * was kept when the screen came, and `isLost` tells that its health parts are gone.
 */
export const useReleaseMemory = (address: string) => {
  const [kept, setKept] = useDraft<Kept | undefined>(address, undefined)
  const [parts, setParts] = useDraft<HealthParts | undefined>(`${address} health`, undefined, true)
  const [first] = useState(() => {
    if (kept === undefined) return { begun: undefined, isLost: false }
    const isLost = kept.healthAt !== undefined && parts === undefined
    const begun: BegunRelease = {
      draft: withParts(kept.draft, parts ?? noParts),
      step: isLost && kept.healthAt < kept.step ? kept.healthAt : kept.step,
      attempt: kept.attempt
    }
    return { begun, isLost }
  })
  const forget = useCallback(() => {
    setKept(undefined)
    setParts(undefined)
  }, [setKept, setParts])
  const keep = useCallback((begun: BegunRelease) => {
    // A form that nobody has touched is no unsigned release.
    if (begun.attempt === undefined && isUntouched(begun.draft)) return forget()
    const now = partsOf(begun.draft)
    const at = healthAt(now)
    setParts(at === undefined ? undefined : now)
    setKept({ ...begun, draft: withParts(begun.draft, noParts), healthAt: at })
  }, [forget, setKept, setParts])
  const latest = useRef(kept)
  useEffect(() => {
    latest.current = kept
  }, [kept])
  /** The screen is left. A release of which nobody knows whether it was signed stays. */
  const leave = useCallback(() => {
    if (latest.current?.attempt === undefined) forget()
  }, [forget])
  return { ...first, keep, forget, leave }
}

const isUntouched = (draft: ReleaseDraft) =>
  JSON.stringify({ ...draft, veteran: undefined }) === JSON.stringify({ ...newRelease, veteran: undefined })
