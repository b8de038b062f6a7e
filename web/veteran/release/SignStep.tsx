import { useId } from "react"
import type { ReleaseReadiness } from "../../../src/domain/Release.ts"
import type { State } from "../../shared/Call.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Choice } from "../share/Choice.tsx"
import { useShareWords } from "../share/Words.ts"
import { kindWords } from "../sharing/SharingWords.ts"
import { AnotherInForce } from "./AnotherInForce.tsx"
import type { ReleaseDraft } from "./Draft.ts"
import { DrawSignature } from "./DrawSignature.tsx"
import { IncompleteNotice } from "./IncompleteNotice.tsx"
import type { Drawing } from "./Ink.ts"
import type { SeenPreview } from "./MakingPreview.ts"
import { Mend, useMending } from "./Mend.tsx"
import type { Signing } from "./Signing.ts"
import { SigningNews } from "./SigningNews.tsx"
import { SignSummary } from "./SignSummary.tsx"
import { Statements } from "./Statements.tsx"
import { useReleaseWords } from "./Words.ts"
import { isSameName, type Wrong } from "./Wrong.ts"

/** What the signer chooses at signing. */
export interface Signature {
  readonly asItIs: boolean
  readonly read: boolean
  readonly electronic: boolean
  readonly typedName: string
  readonly nameDiffers: boolean
  readonly isDrawing: boolean
  readonly drawing: Drawing
}

const wrongSign = ({ electronic, nameDiffers, read, typedName }: Signature, fullName: string): ReadonlyArray<Wrong> => [
  ...read ? [] : [{ place: "read" } as const],
  ...electronic ? [] : [{ place: "electronic" } as const],
  ...typedName.trim() !== "" && (nameDiffers || isSameName(typedName, fullName)) ? [] : [{ place: "typed" } as const]
]

/** The last step: what is signed in short, the five statements, and the signature. */
export const SignStep = (
  {
    change,
    draft,
    now,
    onBack,
    onChange,
    onLook,
    onSign,
    readiness,
    readAgain,
    refused,
    replaces,
    seen,
    signature,
    signing,
    types
  }: {
    readonly draft: ReleaseDraft
    readonly now: Date
    /** The release that this one ends. */
    readonly replaces: string | undefined
    readonly types: ReadonlyArray<string>
    readonly seen: SeenPreview
    readonly readiness: State<typeof ReleaseReadiness.Type>
    readonly readAgain: () => void
    readonly refused: ReadonlyArray<Wrong>
    readonly signature: Signature
    readonly change: (changes: Partial<Signature>) => void
    readonly signing: Signing
    readonly onSign: () => void
    readonly onLook: () => void
    readonly onBack: () => void
    readonly onChange: () => void
  }
) => {
  const { doubt, sign } = useReleaseWords()
  const { back } = useShareWords()
  const offline = useOffReason()
  const id = useId()
  const { check, clear, errorOf, wrong } = useMending(refused)
  const { asItIs, drawing, electronic, isDrawing, nameDiffers, read, typedName } = signature
  const isSigning = signing.busy || signing.isDoubtful
  const fullName = draft.veteran?.fullName ?? ""
  const incomplete = readiness.is === "done" ? readiness.value.incomplete.map(({ resourceType }) => resourceType) : []
  const box = (place: "read" | "electronic", checked: boolean, label: string) => (
    <div>
      {errorOf(place) === undefined ? null : <span className="usa-error-message">{errorOf(place)}</span>}
      <Choice
        type="checkbox"
        label={label}
        data-place={place}
        checked={checked}
        onChange={({ target }) => {
          clear(place)
          change({ [place]: target.checked })
        }}
      />
    </div>
  )
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isSigning || offline !== undefined || readiness.is !== "done") return
        if (check(wrongSign(signature, fullName))) onSign()
      }}
    >
      <Heading>{sign.heading}</Heading>
      <Mend wrong={wrong} />
      <SigningNews signing={signing} onChange={onChange} />
      <AnotherInForce email={draft.recipient.email} replaces={replaces} />
      <IncompleteNotice manifest={seen.manifest} types={types} asked={incomplete} />
      <SignSummary draft={draft} now={now} types={types} manifest={seen.manifest} busy={isSigning} onLook={onLook} />
      <section className="card stack">
        <h2>{sign.statements}</h2>
        <Statements />
      </section>
      <div className="card stack">
        <Reading of={{ state: readiness, again: readAgain }} />
        {readiness.is === "done" && readiness.value.confirmationRequired
          ? (
            <Choice
              type="checkbox"
              label={sign.asItIs(kindWords(incomplete).toLowerCase())}
              hint={sign.asItIsHint}
              checked={asItIs}
              onChange={({ target }) => change({ asItIs: target.checked })}
            />
          )
          : null}
        {box("read", read, sign.read)}
        {box("electronic", electronic, sign.electronic)}
        <Field
          label={sign.typed}
          hint={sign.typedHint(fullName)}
          error={errorOf("typed")}
          data-place="typed"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={typedName}
          onChange={({ target }) => {
            clear("typed")
            change({ typedName: target.value })
          }}
        />
        {nameDiffers || (typedName.trim() !== "" && !isSameName(typedName, fullName))
          ? (
            <Choice
              type="checkbox"
              label={sign.differs}
              checked={nameDiffers}
              onChange={({ target }) => {
                clear("typed")
                change({ nameDiffers: target.checked })
              }}
            />
          )
          : null}
        <div>
          <Button
            kind="link"
            data-place="drawing"
            aria-expanded={isDrawing}
            aria-controls={id}
            onClick={() => change({ isDrawing: !isDrawing })}
          >
            {sign.draw}
          </Button>
          {errorOf("drawing") === undefined ? null : <span className="usa-error-message">{errorOf("drawing")}</span>}
          <div id={id}>
            {isDrawing ? <DrawSignature drawing={drawing} onChange={(next) => change({ drawing: next })} /> : null}
          </div>
        </div>
      </div>
      <div className="actions">
        <Button
          type="submit"
          busy={signing.busy || readiness.is !== "done"}
          off={signing.isDoubtful ? doubt.wait : offline}
        >
          {sign.sign}
        </Button>
        <Button kind="outline" busy={isSigning} onClick={onBack}>{back}</Button>
      </div>
      <Loading when={signing.busy}>{sign.signing}</Loading>
    </form>
  )
}
