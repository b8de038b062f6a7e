import { useCallback, useSyncExternalStore } from "react"
import { isBlank } from "../../src/domain/Blank.ts"

/**
 * Text that was typed and is not saved yet. It stays only in memory and survives a session that ends without a
 * sign-out. Only the same provider gets it back.
 */
const drafts = new Map<string, string>()

const listeners = new Set<() => void>()

let owner: string | undefined

const tell = () => listeners.forEach((changed) => changed())

/** Deletes the drafts if they belong to another provider. */
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
