import { Effect } from "effect"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { useAction } from "../../shared/Call.ts"
import { timeWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { problemText } from "../../shared/Words.ts"
import { codeLength, digitsOf, inGroups, type SentCode } from "./Code.ts"
import { download, type Progress, type ReceivedRelease } from "./Download.ts"
import { type End, endOf } from "./End.ts"
import { useLinkWords } from "./LinkLanguage.ts"
import { connectRecipient } from "./Recipient.ts"
import { SendCode } from "./SendCode.tsx"

/**
 * Asks for the code and fetches the document. Nothing is sent before the recipient submits, because five wrong tries
 * end a code.
 */
export const EnterCode = ({ code, hint, onEnd, onReceived, onSent, token }: {
  readonly code: SentCode
  readonly hint: string
  readonly onEnd: (end: End) => void
  readonly onReceived: (received: ReceivedRelease) => void
  readonly onSent: (code: SentCode) => void
  readonly token: string
}) => {
  const words = useLinkWords().code
  const [typed, setTyped] = useState("")
  const [trouble, setTrouble] = useState<string>()
  const [progress, setProgress] = useState<Progress>()
  const [news, setNews] = useState("")
  const { busy, start } = useAction()
  const off = useOffReason()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (code.endsAt === undefined) return undefined
    const timer = setTimeout(() => onEnd("code_ended"), Math.max(0, code.endsAt - Date.now()))
    return () => clearTimeout(timer)
  }, [code, onEnd])

  const refuse = (words: string) => {
    setTrouble(words)
    field.current?.select()
  }
  const fail = (problem: Problem) => {
    const end = endOf(problem.error)
    if (end !== undefined) return onEnd(end)
    if (problem.attemptsLeft === 0) return onEnd("code_ended")
    refuse(problemText(problem))
  }
  const open = (event: FormEvent) => {
    event.preventDefault()
    const digits = digitsOf(typed)
    if (digits.length !== codeLength) return refuse(words.length(codeLength))
    setTrouble(undefined)
    const payload = { token, challengeId: code.challengeId, code: digits }
    start(Effect.flatMap(connectRecipient, (recipient) => recipient.verify({ payload })), (verified) => {
      if (verified.is === "failed") return fail(verified.problem)
      const { viewSession } = verified.value
      start(
        download(viewSession, setProgress),
        (result) =>
          result.is === "done"
            ? onReceived({ release: result.value, viewSession })
            : onEnd(
              endOf(result.problem.error) ??
                (result.problem.error === "rate_limited" ? "too_many_downloads" : "download_stopped")
            )
      )
    })
  }
  const type = ({ selectionEnd, value }: HTMLInputElement) => {
    const digits = digitsOf(value)
    // Typing at the end groups the digits. Elsewhere grouping would move the caret.
    setTyped(selectionEnd === value.length && digits.length <= codeLength ? inGroups(digits) : value)
  }
  return (
    <form className="card stack" onSubmit={open} noValidate>
      <h1>{words.title}</h1>
      <p>
        {(code.challengeId === undefined ? words.newest : words.sent)(codeLength)} <b>{hint}</b>. {words.keep}
      </p>
      <Field
        ref={field}
        label={words.label(codeLength)}
        hint={code.endsAt === undefined ? undefined : words.until(timeWords(new Date(code.endsAt)))}
        error={trouble}
        className="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="go"
        spellCheck={false}
        value={typed}
        onChange={(event) => type(event.target)}
      />
      <div className="actions">
        <Button type="submit" busy={busy} off={off}>{busy ? words.opening : words.open}</Button>
        <SendCode
          kind="link"
          token={token}
          notBefore={code.againAt}
          onEnd={onEnd}
          onSent={(code) => {
            setTyped("")
            setTrouble(undefined)
            setNews(words.onItsWay)
            onSent(code)
            field.current?.focus()
          }}
        >
          {words.again}
        </SendCode>
      </div>
      <p role="status">{news}</p>
      {progress === undefined ? null : <Coming of={progress} />}
      <p className="soft">{words.junk}</p>
    </form>
  )
}

/** How much of a large document has arrived. */
const Coming = ({ of: { received, size } }: { readonly of: Progress }) => (
  <label className="stack">
    {useLinkWords().code.arrived(megabytes(received), megabytes(size))}
    <progress value={received} max={size} />
  </label>
)

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
