import { Effect } from "effect"
import { memo, useState } from "react"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { type Outcome, useAction } from "../../shared/Call.ts"
import { usePrinting } from "../../shared/Printing.ts"
import type { Problem } from "../../shared/Problem.ts"
import type { Note } from "../../shared/record/Messages.ts"
import { NoteLines } from "../../shared/record/NoteLines.tsx"
import { Button } from "../../shared/ui/Button.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"

const few = 5

/** The most notes that come with the record. */
const inAnswer = 200

/** The provider's own notes, newest first. */
export const Notes = memo(({ notes: answered, older, onEnded, setOlder, veteranId, written }: {
  readonly notes: ReadonlyArray<Note>
  /** The notes that were written since, newest first. */
  readonly written: ReadonlyArray<Note>
  /** The notes that were read since because they are older than those that came with the record. */
  readonly older: ReadonlyArray<Note>
  readonly setOlder: (older: ReadonlyArray<Note>) => void
  readonly veteranId: string
  /** Called when the patient no longer shares. */
  readonly onEnded: () => void
}) => {
  const { call } = useSession()
  const sent = [...answered, ...older]
  const notes = [...written, ...sent]
  const [shown, setShown] = useState(few)
  const isPrinted = usePrinting() !== undefined
  /** The cursor of older notes: undefined before the first request, null if there are none. */
  const [cursor, setCursor] = useState<string | null | undefined>(answered.length < inAnswer ? null : undefined)
  const [problem, setProblem] = useState<Problem>()
  const { busy, start } = useAction()

  const read = (cursor?: string) =>
    call(({ patients }) =>
      patients.notes({
        params: { veteranId: veteranId as VeteranId },
        query: { limit: inAnswer, ...(cursor === undefined ? {} : { cursor }) }
      })
    )
  const readOlder = Effect.gen(function*() {
    const from = cursor ?? (yield* read()).nextCursor
    return from === null ? { items: [], nextCursor: null } : yield* read(from)
  })
  const showMore = () => {
    setShown(shown + 20)
    if (shown + 20 <= sent.length || cursor === null) return
    start(readOlder, (outcome: Outcome<Effect.Success<typeof readOlder>>) => {
      if (outcome.is === "done") {
        setProblem(undefined)
        setCursor(outcome.value.nextCursor)
        const read = outcome.value.items.map((note) => ({ ...note, createdAt: note.createdAt.toISOString() }))
        setOlder([...older, ...read.filter(({ id }) => notes.every((note) => note.id !== id))])
      } else if (outcome.problem.error === "consent_required") onEnded()
      else setProblem(outcome.problem)
    })
  }

  if (notes.length === 0) return null
  return (
    <section className="card stack tight notes">
      <h2>Notes</h2>
      <NoteLines notes={notes.slice(0, isPrinted ? notes.length : shown + written.length)} />
      <Trouble problem={problem} again={showMore} />
      {shown < sent.length || cursor !== null
        ? <Button kind="link" busy={busy} onClick={showMore}>Show older notes</Button>
        : null}
    </section>
  )
})
