import { useState } from "react"
import type { Note } from "../../shared/record/Messages.ts"
import { NoteLines } from "../../shared/record/NoteLines.tsx"
import { Button } from "../../shared/ui/Button.tsx"
import { useOwnWords } from "./Words.ts"

const few = 5

/** What providers wrote about the veteran here, newest first. */
export const NotesAboutMe = ({ notes }: { readonly notes: ReadonlyArray<Note> }) => {
  const { notesAboutMe: words } = useOwnWords()
  const [shown, setShown] = useState(few)
  return (
    <section className="card stack tight">
      <h2>{words.title}</h2>
      {notes.length === 0
        ? <p>{words.none}</p>
        : <NoteLines notes={notes.slice(0, shown)} />}
      {shown < notes.length
        ? <Button kind="link" onClick={() => setShown(shown + 20)}>{words.older}</Button>
        : null}
    </section>
  )
}
