import { type ReactNode, useState } from "react"
import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { State } from "../../shared/Call.ts"
import { dayWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { kindWords, protectedWords } from "../sharing/SharingWords.ts"
import { endOf, type Recipient, treatment } from "./Draft.ts"
import { NotSearched } from "./NotSearched.tsx"
import { RecipientCard } from "./RecipientCard.tsx"
import type { RecordKinds } from "./RecordKinds.ts"
import type { StepProps } from "./Step.ts"
import { useShareWords } from "./Words.ts"

/** Shows the whole share before it is made. Each part leads back to its step. */
export const CheckStep = ({ busy, children, draft, isChange, kinds, onBack, onChange, onNext, recipient }:
  & Pick<StepProps, "draft" | "onBack" | "onNext">
  & {
    readonly busy: boolean
    readonly children: ReactNode
    readonly kinds: State<RecordKinds>
    readonly recipient: Recipient
    readonly onChange: (step: number) => void
    /** A change of a share keeps its recipient. */
    readonly isChange: boolean
  }) =>
{
  const { back, check, lengths, parts, until: untilWords, what } = useShareWords()
  const offline = useOffReason()
  const [now] = useState(() => new Date())
  const { categories, documents, ownWords, purpose, until } = draft
  const kept = SensitiveCategory.literals.filter((category) => !categories.includes(category))
  const incomplete = kinds.is === "done"
    ? kinds.value.incomplete.filter((type) => draft.kinds === null || draft.kinds.includes(type))
    : []
  const change = (step: number, part: keyof typeof check.changes) => (
    <Button
      kind="link"
      aria-label={check.changes[part]}
      onClick={() => onChange(step)}
    >
      {check.change}
    </Button>
  )
  return (
    <>
      <Heading>{check.heading}</Heading>
      {children}
      <RecipientCard recipient={recipient} way={draft.way}>
        {isChange ? null : change(0, "who")}
      </RecipientCard>
      <dl className="card checks">
        <Check name={check.reads} change={change(1, "what")}>
          <strong>{draft.kinds === null ? check.all : kindWords(draft.kinds)}</strong>
        </Check>
        <Check name={what.ownWords}>
          <strong>{ownWords ? check.yes : check.no}</strong>
        </Check>
        <Check name={what.documents}>
          <strong>{documents ? check.yes : check.no}</strong>
        </Check>
        <Check name={parts.heading} change={change(2, "parts")}>
          {categories.length === 0 ? null : (
            <p>
              <strong>{check.shared}</strong> {protectedWords(categories)}
            </p>
          )}
          {kept.length === 0 ? null : (
            <p>
              <strong>{check.kept}</strong> {protectedWords(kept)}
            </p>
          )}
        </Check>
        <Check name={check.until} change={change(3, "until")}>
          <strong>{dayWords(endOf(until, now))}</strong>
          {until.is === "days" ? ` (${lengths(until.days)})` : ""}
        </Check>
        <Check name={check.why}>
          <strong>
            <bdi>{purpose === treatment ? untilWords.treatment : purpose}</bdi>
          </strong>
        </Check>
      </dl>
      {incomplete.length === 0 ?
        null :
        <Notice kind="warning">{check.incomplete(kindWords(incomplete).toLowerCase())}</Notice>}
      <Notice kind="info">
        <p>{check.scans}</p>
        <details>
          <summary>{check.meaning}</summary>
          <NotSearched />
        </details>
      </Notice>
      <div className="actions">
        <Button busy={busy} off={offline} onClick={onNext}>
          <span>
            {check.share} <bdi>{recipient.displayName}</bdi>
          </span>
        </Button>
        <Button kind="outline" onClick={onBack}>{back}</Button>
      </div>
      <p className="soft small">{check.stop}</p>
    </>
  )
}

const Check = ({ change, children, name }: {
  readonly name: string
  readonly change?: ReactNode
  readonly children: ReactNode
}) => (
  <div>
    <dt>{name}</dt>
    <dd className="value">{children}</dd>
    {change === undefined ? null : <dd className="change">{change}</dd>}
  </div>
)
