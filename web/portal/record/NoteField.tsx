import { type FormEvent, type Ref, useId, useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { timeWords } from "../../shared/Dates.ts"
import { useDraft } from "../../shared/Drafts.ts"
import { useAskBeforeLeaving } from "../../shared/Listen.ts"
import type { Note } from "../../shared/record/Messages.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { LettersLeft } from "../../shared/ui/LettersLeft.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useProviderSending } from "../session/ProviderSending.ts"

/** The longest note (contract, part 9). */
const longest = 20_000

/** The field for a note. Its text stays until the service has saved it. */
export const NoteField = ({ field, onEnded, onSaved, veteranId }: {
  readonly field: Ref<HTMLTextAreaElement>
  readonly veteranId: string
  readonly onEnded: () => void
  readonly onSaved: (note: Note) => void
}) => {
  const [text, setText] = useDraft(`note ${veteranId}`, "")
  const [saved, setSaved] = useState<Date>()
  const [error, setError] = useState<string>()
  const { busy, call, off, problem, send, setProblem } = useProviderSending()
  const id = useId()
  const remaining = longest - text.length
  useAskBeforeLeaving(!isBlank(text))

  const write = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined) return
    setSaved(undefined)
    setProblem(undefined)
    if (isBlank(text) || remaining < 0) {
      setError(
        remaining < 0
          ? `The note is too long by ${(-remaining).toLocaleString("en-US")} letters.`
          : "Write the note first."
      )
      return
    }
    setError(undefined)
    const params = { veteranId: veteranId as VeteranId }
    const writing = call(({ patients }) => patients.writeNote({ params, payload: { text } }))
    send(writing, ({ createdAt, ...note }) => {
      setText("")
      setSaved(createdAt)
      onSaved({ ...note, createdAt: createdAt.toISOString() })
    }, (problem) => problem.error === "consent_required" ? onEnded() : setProblem(problem))
  }

  return (
    <form className="card stack tight note-field" onSubmit={write} noValidate>
      <div className={`usa-form-group ${error === undefined ? "" : "usa-form-group--error"}`}>
        <label className="usa-label" htmlFor={id}>Write a note</label>
        <span className="usa-hint" id={`${id}-hint`}>The patient can read it.</span>
        {error === undefined
          ? null
          : <span className="usa-error-message" id={`${id}-error`} role="alert">{error}</span>}
        <textarea
          ref={field}
          id={id}
          className={`usa-textarea ${error === undefined ? "" : "usa-input--error"}`}
          rows={3}
          dir="auto"
          value={text}
          readOnly={busy}
          aria-describedby={`${id}-hint${error === undefined ? "" : ` ${id}-error`}`}
          {...(error === undefined ? {} : { "aria-invalid": true })}
          onChange={({ target }) => {
            setText(target.value)
            setSaved(undefined)
            setError(undefined)
          }}
        />
        <LettersLeft of={text} longest={longest} />
      </div>
      <Trouble problem={problem} />
      <div className="actions">
        <Button type="submit" busy={busy} off={off}>Save note</Button>
        <span role="status">{busy ? "Saving" : saved === undefined ? "" : `Saved. ${timeWords(saved)}`}</span>
      </div>
    </form>
  )
}
