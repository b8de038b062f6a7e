import { Schema } from "effect"
import { useEffect, useState, useSyncExternalStore } from "react"
import { Npi } from "../../../src/domain/Provider.ts"
import { EmailAddress } from "../../../src/domain/Scalars.ts"
import { useDraft } from "../../shared/Drafts.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { keepInvite, onInvite, waitingInvite } from "../connect/Invite.ts"
import { addressOf } from "../Route.ts"
import { me, useOwnSending } from "../session/Own.ts"
import { carriedEmail } from "./Carried.ts"
import type { Draft, ProviderLookup, Recipient } from "./Draft.ts"
import { Radios } from "./Radios.tsx"
import { RecipientCard } from "./RecipientCard.tsx"
import type { StepProps } from "./Step.ts"
import { StepForm } from "./StepForm.tsx"
import { useShareWords } from "./Words.ts"

const ways: ReadonlyArray<ProviderLookup> = ["invitation", "email", "npi"]

const isEmail = Schema.is(EmailAddress)

const isNpi = Schema.is(Npi)

/** What the directory is asked for, or undefined if the text cannot be right. The service reads codes leniently. */
const queryOf = (way: ProviderLookup, typed: string) => {
  const text = way === "npi" ? typed.replaceAll(/[\s-]/g, "") : typed.trim()
  switch (way) {
    case "invitation":
      return text.length >= 10 && text.length <= 40 ? { invitation: text } : undefined
    case "email":
      return isEmail(text) ? { email: text } : undefined
    case "npi":
      return isNpi(text) ? { npi: text } : undefined
  }
}

/** Finds the provider by the clinic's code, an e-mail address or an identifier. */
export const WhoStep = ({ change, draft, onBack, onNext }: StepProps) => {
  const { who } = useShareWords()
  const { busy, call, off, problem, send, setProblem } = useOwnSending()
  const [way, setWay] = useState<ProviderLookup>(
    draft.way === undefined || draft.way === "scan" ? "invitation" : draft.way
  )
  const [text, setText] = useState("")
  const [found, setFound] = useState<ReadonlyArray<Recipient>>(draft.recipient === undefined ? [] : [draft.recipient])
  const [error, setError] = useState<string>()
  // Only somebody whom the directory does not know by this address is offered a link.
  const [unknown, setUnknown] = useState<string>()
  const [, carry] = useDraft<string | undefined>(carriedEmail, undefined)

  const forget = () => {
    setFound([])
    setError(undefined)
    setProblem(undefined)
    setUnknown(undefined)
    change({ recipient: undefined, way: undefined })
  }

  const find = (by: NonNullable<Draft["way"]>, typed: string) => {
    forget()
    const asked = by === "scan" ? "invitation" : by
    const query = queryOf(asked, typed)
    if (query === undefined) return setError(who.ways[asked].wrong)
    send(call(({ veteran }) => veteran.providerDirectory({ params: me, query })), ({ items }) => {
      if (by === "scan") keepInvite(undefined)
      if (items.length === 0) {
        if ("email" in query) setUnknown(query.email)
        return setError(who.ways[asked].none)
      }
      setFound(items)
      change({ way: by, recipient: items.length === 1 ? items[0] : undefined })
    })
  }

  // It waits until the service has answered: a lock meanwhile does not lose it.
  const invite = useSyncExternalStore(onInvite, waitingInvite)
  useEffect(() => {
    if (invite === undefined) return
    setText(invite)
    find("scan", invite)
    // oxlint-disable-next-line react/exhaustive-deps -- a code that came with the address is looked up once
  }, [invite])

  const { hint, label } = who.ways[way]
  return (
    <StepForm
      heading={who.heading}
      onBack={onBack}
      onSubmit={() => {
        if (draft.recipient !== undefined) return onNext()
        if (found.length > 1) return setError(who.choose)
        find(way, text)
      }}
    >
      <div className="card stack">
        <Radios
          name="way"
          legend={who.legend}
          value={way}
          of={ways.map((one) => [one, who.ways[one].choice] as const)}
          onChange={(one) => {
            setWay(one)
            setText("")
            forget()
          }}
        />
        <Field
          label={label}
          hint={hint}
          error={error}
          value={text}
          type={way === "email" ? "email" : "text"}
          inputMode={way === "npi" ? "numeric" : way === "email" ? "email" : "text"}
          autoComplete="off"
          autoCapitalize={way === "invitation" ? "characters" : "none"}
          spellCheck={false}
          maxLength={254}
          onChange={({ target }) => {
            setText(target.value)
            if (draft.recipient !== undefined || found.length > 0 || error !== undefined) forget()
          }}
        />
        <Action kind="outline" busy={busy} off={off} onClick={() => find(way, text)}>{who.find}</Action>
      </div>
      {unknown === undefined ? null : (
        <div className="card stack">
          <p>{who.releaseHint}</p>
          <div className="actions">
            <a
              className="usa-button usa-button--outline"
              href={addressOf({ screen: "release" })}
              onClick={() => carry(unknown)}
            >
              {who.release}
            </a>
          </div>
        </div>
      )}
      <Loading when={busy} />
      <Trouble problem={problem} again={() => find(way, text)} />
      <p className="spoken" role="status">
        {found.length === 0 ? "" : found.length === 1 ? who.found(found[0]!.displayName) : who.several(found.length)}
      </p>
      {found.length > 1
        ? (
          <div className="card">
            <Radios
              name="recipient"
              legend={who.which}
              value={draft.recipient?.id}
              of={found.map(({ displayName, id, organization }) =>
                [
                  id,
                  <>
                    <strong>
                      <bdi>{displayName}</bdi>
                    </strong>
                    , <bdi>{organization}</bdi>
                  </>
                ] as const
              )}
              onChange={(chosen) => {
                setError(undefined)
                change({ recipient: found.find(({ id }) => id === chosen) })
              }}
            />
          </div>
        )
        : null}
      {draft.recipient === undefined ? null : <RecipientCard recipient={draft.recipient} way={draft.way} />}
    </StepForm>
  )
}
