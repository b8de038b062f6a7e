import { useCallback, useSyncExternalStore } from "react"
import { isBlank } from "../../src/domain/Blank.ts"

/**
 * What was typed and not yet saved. It is in memory alone, outlives a session that ended by itself, and is given back to the same
 * provider alone.
 */
const drafts = new Map<string, string>()

const listeners = new Set<() => void>()

let owner: string | undefined

const tell = () => listeners.forEach((changed) => changed())

/** Another provider finds nothing of the one before. */
export const keepDraftsOf = (providerId: string) => {
  if (owner !== providerId) forgetDrafts()
  owner = providerId
}

export const forgetDrafts = () => {
  drafts.clear()
  tell()
}

export const hasDrafts = () => [...drafts.values()].some((text) => !isBlank(text))

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

/** A text that is kept under `name` until it is set to nothing. */
export const useDraft = (name: string) => {
  const text = useSyncExternalStore(subscribe, () => drafts.get(name) ?? "")
  const setText = useCallback((text: string) => {
    if (text === "") drafts.delete(name)
    else drafts.set(name, text)
    tell()
  }, [name])
  return [text, setText] as const
}
