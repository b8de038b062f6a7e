import { useCallback, useSyncExternalStore } from "react"
import { isBlank } from "../../src/domain/Blank.ts"

/**
 * Text that was typed and is not saved yet. It is only in memory, survives a session that ended by itself, and is given
 * back to the same provider only.
 */
const drafts = new Map<string, string>()

const listeners = new Set<() => void>()

let owner: string | undefined

const tell = () => listeners.forEach((changed) => changed())

/** Another provider finds no drafts of the previous one. */
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

/** The draft called `name`. Setting it to "" deletes it. */
export const useDraft = (name: string) => {
  const text = useSyncExternalStore(subscribe, () => drafts.get(name) ?? "")
  const setText = useCallback((text: string) => {
    if (text === "") drafts.delete(name)
    else drafts.set(name, text)
    tell()
  }, [name])
  return [text, setText] as const
}
