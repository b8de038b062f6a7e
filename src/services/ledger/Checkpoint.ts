import { type Checkpoint, readCheckpoint } from "../../domain/SignedNote.ts"
import { type NoteKey, openNote, signNote } from "./SignedNote.ts"

/** The key that signs a checkpoint's note has the same name as the log. */
export const signCheckpoint = (key: NoteKey, { root, size }: Checkpoint): string =>
  signNote(key, `${key.name}\n${size}\n${Buffer.from(root).toString("base64")}\n`)

/** Returns undefined if the note is no checkpoint of the key's log, or the key has not signed it. */
export const openCheckpoint = (note: string, key: NoteKey): Checkpoint | undefined =>
  readCheckpoint(openNote(note, key) ?? "", key.name)
