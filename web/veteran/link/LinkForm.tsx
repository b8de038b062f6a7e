import { useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Question } from "../../shared/ui/Question.tsx"
import { lastBefore } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { Choice } from "../share/Choice.tsx"
import { Radios } from "../share/Radios.tsx"
import { Named } from "../sharing/Named.tsx"
import {
  draftFor,
  type DraftProblems,
  isOtherAddress,
  type LinkDraft,
  type LinkHandover,
  problemsOf,
  type Release,
  untilChoices
} from "./LinkDraft.ts"
import { LinkRefused } from "./LinkRefused.tsx"
import type { Attempt } from "./Making.ts"
import { useLinkWords } from "./Words.ts"

/** Asks who gets the link, how long it works, and how they get it. What the release says stands there already. */
export const LinkForm = ({ before, busy, change, draft, how, make, now, refusal, release }: {
  readonly release: Release
  /** How many links lead to this release now. */
  readonly before: number
  readonly now: Date
  readonly draft: LinkDraft
  readonly change: (draft: LinkDraft) => void
  readonly busy: boolean
  /** How the link that is being made is given. */
  readonly how: LinkHandover | undefined
  readonly make: (attempt: Omit<Attempt, "known">) => void
  readonly refusal: Problem | undefined
}) => {
  const words = useLinkWords()
  const offline = useOffReason()
  const signed = draftFor(release, now)
  const [isOpen, setOpen] = useState(draft.name !== signed.name || draft.email !== signed.email)
  const [problems, setProblems] = useState<DraftProblems>({})
  const [asked, setAsked] = useState<Omit<Attempt, "known">>()

  const press = (way: LinkHandover) => {
    const found = problemsOf(draft)
    setProblems(found)
    if (found.name !== undefined || found.email !== undefined) return setOpen(true)
    const attempt = { draft, how: way }
    if (isOtherAddress(draft, release)) setAsked(attempt)
    else make(attempt)
  }
  const edit = (changes: Partial<LinkDraft>) => {
    setProblems({})
    change({ ...draft, ...changes })
  }
  const { forApps, until, who } = words
  return (
    <>
      <Heading>{words.title}</Heading>
      <section className="card stack">
        <h2>
          <Named of={who.for} name={draft.name} />
        </h2>
        <p>
          <Named of={who.code} name={draft.email} />
        </p>
        {isOpen
          ? (
            <>
              <Field
                label={who.name}
                hint={who.nameHint}
                error={problems.name === undefined
                  ? undefined
                  : problems.name === "long"
                  ? who.longName
                  : who.wrongName}
                value={draft.name}
                autoComplete="off"
                onChange={({ target }) => edit({ name: target.value })}
              />
              <Field
                label={who.email}
                hint={who.emailHint}
                error={problems.email === undefined ? undefined : who.wrongEmail}
                value={draft.email}
                type="email"
                inputMode="email"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={254}
                onChange={({ target }) => edit({ email: target.value })}
              />
              <div>
                <Button
                  kind="link"
                  onClick={() => {
                    edit({ name: signed.name, email: signed.email })
                    setOpen(false)
                  }}
                >
                  {who.asSigned}
                </Button>
              </div>
            </>
          )
          : (
            <div>
              <Button kind="link" onClick={() => setOpen(true)}>{who.change}</Button>
            </div>
          )}
      </section>
      <section className="card stack">
        <Radios
          className="lengths"
          name="until"
          legend={until.legend}
          value={draft.until}
          of={untilChoices(release, now).map((one) =>
            [
              one,
              one === "release" ? until.release(dayWords(lastBefore(release.until))) : until.days(one)
            ] as const
          )}
          onChange={(one) => edit({ until: one })}
        />
      </section>
      <section className="card stack">
        <h2>{forApps.title}</h2>
        <Choice
          type="checkbox"
          label={forApps.choice}
          hint={forApps.hint}
          checked={draft.forApps}
          onChange={({ target }) => edit({ forApps: target.checked })}
        />
        <p className="soft small">{forApps.limits}</p>
      </section>
      {refusal === undefined
        ? null
        : <LinkRefused problem={refusal} isMailed={how === "mail"} isForApps={draft.forApps} />}
      <section className="card stack">
        <h2 id="how">{words.how.legend}</h2>
        <div className="actions" role="group" aria-labelledby="how">
          <Button busy={busy} off={offline} onClick={() => press("mail")}>{words.how.mail}</Button>
          <Button kind="outline" busy={busy} off={offline} onClick={() => press("desk")}>{words.how.desk}</Button>
          <Button kind="outline" busy={busy} off={offline} onClick={() => press("myself")}>{words.how.myself}</Button>
        </div>
        <Loading when={busy}>{how === "mail" ? words.how.mailing : words.how.making}</Loading>
        <p className="soft small">{words.how.hint}</p>
        {before === 0 ? null : <p className="soft small">{words.before(before)}</p>}
        <a href={addressOf({ screen: "sharing" })}>{words.back}</a>
      </section>
      {asked === undefined ? null : (
        <OtherAddress
          signed={release.who.email ?? ""}
          typed={draft.email.trim()}
          onKeep={() => {
            setAsked(undefined)
            edit({ email: signed.email })
          }}
          onCancel={() => setAsked(undefined)}
          onSend={() => {
            setAsked(undefined)
            make(asked)
          }}
        />
      )}
    </>
  )
}

/** Asks before a link is made for another address than the release names. The focus begins on the release's own. */
const OtherAddress = ({ onCancel, onKeep, onSend, signed, typed }: {
  readonly signed: string
  readonly typed: string
  /** Takes the release's address. */
  readonly onKeep: () => void
  /** Takes the other one. */
  readonly onSend: () => void
  readonly onCancel: () => void
}) => {
  const { differs } = useLinkWords()
  return (
    <Question
      title={differs.title}
      keep={[differs.asSigned, onKeep]}
      go={[differs.send, onSend]}
      onCancel={onCancel}
    >
      <Facts
        of={[
          [differs.release, <bdi key="signed">{signed}</bdi>],
          [differs.typed, <bdi key="typed">{typed}</bdi>]
        ]}
      />
      <p>{differs.what}</p>
    </Question>
  )
}
