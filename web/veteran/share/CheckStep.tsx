import { type ReactNode, useState } from "react"
import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { State } from "../../shared/Call.ts"
import { dayWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { kindWords, protectedWords } from "../sharing/SharingWords.ts"
import { endOf, lengthWords, type Recipient, treatment } from "./Draft.ts"
import { NotSearched } from "./NotSearched.tsx"
import { RecipientCard } from "./RecipientCard.tsx"
import type { RecordKinds } from "./RecordKinds.ts"
import type { StepProps } from "./Step.ts"

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
  const offline = useOffReason()
  const [now] = useState(() => new Date())
  const { categories, documents, ownWords, purpose, until } = draft
  const kept = SensitiveCategory.literals.filter((category) => !categories.includes(category))
  const incomplete = kinds.is === "done"
    ? kinds.value.incomplete.filter((type) => draft.kinds === null || draft.kinds.includes(type))
    : []
  const change = (step: number, what: string) => (
    <Button
      kind="link"
      aria-label={`Change ${what}`}
      onClick={() => onChange(step)}
    >
      Change
    </Button>
  )
  return (
    <>
      <Heading>Check, then share</Heading>
      {children}
      <RecipientCard recipient={recipient} way={draft.way}>
        {isChange ? null : change(0, "who")}
      </RecipientCard>
      <dl className="card checks">
        <Check name="Can read" change={change(1, "what they can read")}>
          <strong>{draft.kinds === null ? "Everything from VA, new updates too" : kindWords(draft.kinds)}</strong>
        </Check>
        <Check name="My own words">
          <strong>{ownWords ? "Yes" : "No"}</strong>
        </Check>
        <Check name="My documents">
          <strong>{documents ? "Yes" : "No"}</strong>
        </Check>
        <Check name="Protected parts" change={change(2, "protected parts")}>
          {categories.length === 0 ? null : (
            <p>
              <strong>Shared:</strong> {protectedWords(categories)}
            </p>
          )}
          {kept.length === 0 ? null : (
            <p>
              <strong>Kept back:</strong> {protectedWords(kept)}
            </p>
          )}
        </Check>
        <Check name="Until" change={change(3, "until when")}>
          <strong>{dayWords(endOf(until, now))}</strong>
          {until.is === "days" ? ` (${lengthWords(until.days)})` : ""}
        </Check>
        <Check name="For">
          <strong>
            <bdi>{purpose === treatment ? "Treatment" : purpose}</bdi>
          </strong>
        </Check>
      </dl>
      {incomplete.length === 0 ? null : (
        <Notice kind="warning">
          <p>
            Not complete: {kindWords(incomplete).toLowerCase()}. They will be told.
          </p>
        </Notice>
      )}
      <Notice kind="info">
        <p>Scans, PDF files and pictures in your record are not searched for protected parts.</p>
        <details>
          <summary>What this means</summary>
          <NotSearched />
        </details>
      </Notice>
      <div className="actions">
        <Button busy={busy} off={offline} onClick={onNext}>
          <span>
            Share with <bdi>{recipient.displayName}</bdi>
          </span>
        </Button>
        <Button kind="outline" onClick={onBack}>Back</Button>
      </div>
      <p className="soft small">
        You can stop at any time in Sharing. We can’t take back what was already read, printed or saved.
      </p>
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
