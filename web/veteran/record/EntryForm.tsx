import { type FormEvent, useEffect, useId, useRef, useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import { spokenNow } from "../../shared/language/Language.ts"
import { useAskBeforeLeaving } from "../../shared/Listen.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { LettersLeft } from "../../shared/ui/LettersLeft.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { OwnTrouble } from "../OwnTrouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { Radios } from "../share/Radios.tsx"
import { categories } from "./Entries.ts"
import { ownWords, useOwnWords } from "./Words.ts"

/** The longest entry (contract, part 9). */
const longest = 10_000

type Wrong = readonly [place: "what" | "text" | "day", words: string]

/** What stands in the form. It is not saved yet. */
export interface EntryDraft {
  /** The entry that it changes; undefined if it writes a new one. */
  readonly entry: Entry | undefined
  readonly category: Entry["category"] | undefined
  readonly text: string
  readonly day: string
}

export const draftOf = (entry?: Entry): EntryDraft => ({
  entry,
  category: entry?.category,
  text: entry?.text ?? "",
  day: entry?.occurredOn ?? ""
})

/** The form for the veteran's own words: a new entry, or a change of one. */
export const EntryForm = ({ draft, onCancel, onDraft, onSaved }: {
  readonly draft: EntryDraft
  readonly onDraft: (draft: EntryDraft) => void
  readonly onCancel: () => void
  readonly onSaved: () => void
}) => {
  const { category, day, entry, text } = draft
  const { form: words, own } = useOwnWords()
  const [wrong, setWrong] = useState<ReadonlyArray<Wrong>>([])
  const { busy, call, off, problem, send, setProblem } = useOwnSending()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isUnsaved = text !== (entry?.text ?? "")
  useEffect(() => heading.current?.focus(), [])
  useAskBeforeLeaving(isUnsaved)

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (off !== undefined || busy) return
    const found = wrongIn(category, text, form.current!.querySelector<HTMLInputElement>("[type=date]")!)
    setWrong(found)
    setProblem(undefined)
    if (found.length > 0 || category === undefined) return
    const payload = { category, text, occurredOn: day === "" ? null : day }
    send(
      entry === undefined
        ? call(({ selfReported }) => selfReported.create({ params: me, payload }))
        : call(({ selfReported }) => selfReported.change({ params: { ...me, entryId: entry.id }, payload })),
      onSaved
    )
  }
  const go = (place: Wrong[0]) => form.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus()
  const wordsOf = (place: Wrong[0]) => wrong.find(([one]) => one === place)?.[1]
  const wrongText = wordsOf("text")

  return (
    <form ref={form} className="card stack" onSubmit={save} noValidate aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} ref={heading} tabIndex={-1}>
        {entry === undefined ? own.add : words.change}
      </h2>
      {wrong.length === 0 ?
        null :
        (
          <Notice kind="error" live title={words.toMend(wrong.length)}>
            <ul>
              {wrong.map(([place, words]) => (
                <li key={place}>
                  <Button kind="link" onClick={() => go(place)}>{words}</Button>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      <Radios
        name={`${id}-what`}
        place="what"
        legend={words.what}
        error={wordsOf("what")}
        value={category}
        of={categories.map((one) => [one, own.categories[one][0]] as const)}
        onChange={(one) => onDraft({ ...draft, category: one })}
      />
      <div className={`usa-form-group ${wrongText === undefined ? "" : "usa-form-group--error"}`}>
        <label className="usa-label" htmlFor={`${id}-text`}>{words.text}</label>
        {wrongText === undefined ?
          null :
          <span className="usa-error-message" id={`${id}-text-error`}>{wrongText}</span>}
        <textarea
          id={`${id}-text`}
          data-place="text"
          className={`usa-textarea ${wrongText === undefined ? "" : "usa-input--error"}`}
          rows={4}
          dir="auto"
          autoComplete="off"
          value={text}
          readOnly={busy}
          {...(wrongText === undefined
            ? {}
            : { "aria-invalid": true, "aria-describedby": `${id}-text-error` })}
          onChange={({ target }) => onDraft({ ...draft, text: target.value })}
        />
        <LettersLeft of={text} longest={longest} />
      </div>
      <Field
        label={words.day}
        hint={words.dayHint}
        type="date"
        max="9999-12-31"
        data-place="day"
        autoComplete="off"
        value={day}
        error={wordsOf("day")}
        onChange={({ target }) => onDraft({ ...draft, day: target.value })}
      />
      <OwnTrouble
        problem={problem}
        own={problem?.message === undefined ? {} : { conflict: words.full(problem.message) }}
      />
      <div className="actions">
        <Button type="submit" busy={busy} off={off}>{words.save}</Button>
        <Button kind="outline" onClick={onCancel}>{words.cancel}</Button>
        <span role="status">{busy ? words.saving : ""}</span>
      </div>
    </form>
  )
}

/** What must be mended before the entry can be saved. A half-written day has no value, and would be lost. */
const wrongIn = (category: unknown, text: string, day: HTMLInputElement): ReadonlyArray<Wrong> => {
  const excess = text.length - longest
  const { form: words } = ownWords()
  return [
    ...category === undefined ? [["what", words.noWhat] as const] : [],
    ...isBlank(text) ? [["text", words.noText] as const] : [],
    ...excess > 0 ? [["text", words.shorter(spokenNow().words.letters.count(excess))] as const] : [],
    ...day.validity.badInput ? [["day", words.wholeDay] as const] : []
  ]
}
