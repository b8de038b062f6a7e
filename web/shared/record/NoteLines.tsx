import { timeWords } from "../Dates.ts"
import type { Note } from "./Messages.ts"

/** What providers wrote, each note with its writer and its time. */
export const NoteLines = ({ notes }: { readonly notes: ReadonlyArray<Note> }) => (
  <ul className="glance-list">
    {notes.map(({ createdAt, id, providerName, text }) => (
      <li key={id}>
        <span className="written" dir="auto">{text}</span>
        <span className="about soft">
          <bdi>{providerName}</bdi>, {timeWords(new Date(createdAt))}
        </span>
      </li>
    ))}
  </ul>
)
