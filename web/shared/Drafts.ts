import { useCallback, useSyncExternalStore } from "react"
import { isBlank } from "../../src/domain/Blank.ts"

/**
 * What was entered and is not saved yet. It stays only in memory and survives a session that ends without a sign-out.
 * Only the same person gets it back.
 */
const drafts = new Map<string, unknown>()

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

/** True if a form is open that holds more than blank text. */
export const hasDrafts = () => [...drafts.values()].some((draft) => typeof draft !== "string" || !isBlank(draft))

export const onDrafts = (changed: () => void) => {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

/** The draft called `name`. Setting it to `empty` deletes it. */
export const useDraft = <A>(name: string, empty: A) => {
  const draft = useSyncExternalStore(onDrafts, () => drafts.has(name) ? drafts.get(name) as A : empty)
  const setDraft = useCallback((draft: A) => {
    if (draft === empty) drafts.delete(name)
    else drafts.set(name, draft)
    tell()
  }, [name, empty])
  return [draft, setDraft] as const
}
