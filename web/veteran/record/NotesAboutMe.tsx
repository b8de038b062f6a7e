import { useState } from "react"
import { timeWords } from "../../shared/Dates.ts"
import type { Note } from "../../shared/record/Messages.ts"
import { Button } from "../../shared/ui/Button.tsx"

const few = 5

/** What providers wrote about the veteran here, newest first. */
export const NotesAboutMe = ({ notes }: { readonly notes: ReadonlyArray<Note> }) => {
  const [shown, setShown] = useState(few)
  return (
    <section className="card stack tight">
      <h2>Notes about me</h2>
      {notes.length === 0
        ? <p>No provider wrote a note here.</p>
        : (
          <ul className="glance-list">
            {notes.slice(0, shown).map(({ createdAt, id, providerName, text }) => (
              <li key={id}>
                <span className="written" dir="auto">{text}</span>
                <span className="about soft">
                  <bdi>{providerName}</bdi>, {timeWords(new Date(createdAt))}
                </span>
              </li>
            ))}
          </ul>
        )}
      {shown < notes.length
        ? <Button kind="link" onClick={() => setShown(shown + 20)}>Show older notes</Button>
        : null}
    </section>
  )
}
