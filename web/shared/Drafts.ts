import { useCallback, useSyncExternalStore } from "react"
import { isBlank } from "../../src/domain/Blank.ts"

/**
 * What was entered and is not saved yet. It stays only in memory and survives a session that ends without a sign-out.
 * Only the same person gets it back.
 */
const drafts = new Map<string, Draft>()

interface Draft {
  readonly value: unknown
  readonly isHealth: boolean
}

const listeners = new Set<() => void>()

let owner: string | undefined

const tell = () => listeners.forEach((changed) => changed())

/** Deletes the drafts if they belong to another person. */
export const keepDraftsOf = (ownerId: string) => {
  if (owner !== ownerId) forgetDrafts()
  owner = ownerId
}

export const forgetDrafts = () => {
  drafts.clear()
  tell()
}

/** Deletes the drafts that hold health data: a locked device keeps none in its memory. */
export const forgetHealthDrafts = () => {
  for (const [name, { isHealth }] of drafts) if (isHealth) drafts.delete(name)
  tell()
}

/** True if a form is open that holds more than blank text. */
export const hasDrafts = () => [...drafts.values()].some(({ value }) => typeof value !== "string" || !isBlank(value))

export const onDrafts = (changed: () => void) => {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

/** The draft called `name`. Setting it to `empty` deletes it. `isHealth` tells that it may hold health data. */
export const useDraft = <A>(name: string, empty: A, isHealth = false) => {
  const draft = useSyncExternalStore(onDrafts, () => drafts.has(name) ? drafts.get(name)!.value as A : empty)
  const setDraft = useCallback((value: A) => {
    if (value === empty) drafts.delete(name)
    else drafts.set(name, { value, isHealth })
    tell()
  }, [name, empty, isHealth])
  return [draft, setDraft] as const
}
