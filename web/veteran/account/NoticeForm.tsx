import { type FormEvent, useRef, useState } from "react"
import { noticeLimits, type Notices } from "../../../src/domain/Notices.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { me, useOwnSending } from "../session/Own.ts"
import { Choice } from "../share/Choice.tsx"
import { Radios } from "../share/Radios.tsx"
import { Done } from "./Done.tsx"
import { useAccountWords } from "./Words.ts"

const { default: usualDays, maximum, minimum } = noticeLimits.staleDays

const looks = ["each", "daily", "off"] as const

/** The choices, which count once they are saved together. The same ones may be saved again after a lost answer. */
export const NoticeForm = ({ kept }: { readonly kept: Notices }) => {
  const { notices: words } = useAccountWords()
  const { busy, call, off, problem, send, setProblem } = useOwnSending()
  const [chosen, setChosen] = useState(kept)
  const [days, setDays] = useState(`${kept.staleAfterDays ?? usualDays}`)
  const [news, setNews] = useState<"unsaved" | "saved">()
  const [error, setError] = useState<string>()
  const changes = useRef(0)
  const change = (changed: Partial<Notices>) => {
    changes.current++
    setNews("unsaved")
    setError(undefined)
    setChosen({ ...chosen, ...changed })
  }
  const save = () => {
    const wanted = /^\d{1,3}$/.test(days.trim()) ? Number(days) : NaN
    const isWrong = chosen.staleAfterDays !== null && !(wanted >= minimum && wanted <= maximum)
    setError(isWrong ? words.daysWrong(minimum, maximum) : undefined)
    setProblem(undefined)
    if (isWrong || off !== undefined) return
    const payload = { ...chosen, staleAfterDays: chosen.staleAfterDays === null ? null : wanted }
    const before = changes.current
    send(call(({ veteranAccount }) => veteranAccount.setNotices({ params: me, payload })), () => {
      // What was changed meanwhile is not saved yet.
      if (changes.current === before) setNews("saved")
    })
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save()
      }}
    >
      <Radios
        name="looks"
        legend={words.looks}
        value={chosen.looks}
        of={looks.map((choice) => [choice, words[choice], choice === "off" ? words.offHint : undefined] as const)}
        onChange={(choice) => change({ looks: choice })}
      />
      <fieldset>
        <legend>{words.others}</legend>
        <Choice
          type="checkbox"
          label={words.endings}
          checked={chosen.endings}
          onChange={({ target }) => change({ endings: target.checked })}
        />
        <Choice
          type="checkbox"
          label={words.stale}
          hint={words.staleHint}
          checked={chosen.staleAfterDays !== null}
          onChange={({ target }) => change({ staleAfterDays: target.checked ? usualDays : null })}
        />
      </fieldset>
      {chosen.staleAfterDays === null ? null : (
        <Field
          label={words.days}
          hint={words.daysRange(minimum, maximum)}
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          value={days}
          error={error}
          onChange={({ target }) => {
            change({})
            setDays(target.value)
          }}
        />
      )}
      <Trouble problem={problem} again={save} />
      <Done kind={news === "saved" ? "success" : "info"}>{news === undefined ? undefined : words[news]}</Done>
      <Action type="submit" busy={busy} off={off}>{words.save}</Action>
      <Loading when={busy}>{words.saving}</Loading>
    </form>
  )
}
