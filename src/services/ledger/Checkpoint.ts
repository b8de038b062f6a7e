import { type NoteKey, openNote, signNote } from "./SignedNote.ts"

/** The state of a log at one size (C2SP tlog-checkpoint). The key that signs its note has the same name as the log. */
export interface Checkpoint {
  readonly size: number
  readonly root: Uint8Array
}

export const signCheckpoint = (key: NoteKey, { root, size }: Checkpoint): string =>
  signNote(key, `${key.name}\n${size}\n${Buffer.from(root).toString("base64")}\n`)

/** Returns undefined if the note is no checkpoint of the key's log, or the key has not signed it. */
export const openCheckpoint = (note: string, key: NoteKey): Checkpoint | undefined => {
  const [origin, size = "", base64 = ""] = openNote(note, key)?.split("\n") ?? []
  const root = Buffer.from(base64, "base64")
  const isCheckpoint = origin === key.name && /^(0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size)) &&
    root.length === 32 && root.toString("base64") === base64
  return isCheckpoint ? { size: Number(size), root } : undefined
}
