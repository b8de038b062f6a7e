import { useRef, useState } from "react"
import type { Veteran } from "../../../src/domain/Veteran.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"
import { AskEmailCode } from "./AskEmailCode.tsx"
import { Card } from "./Card.tsx"
import { Done } from "./Done.tsx"
import { EmailCodeForm } from "./EmailCodeForm.tsx"
import { type EmailChangeProps, useEmailChange } from "./EmailDraft.ts"
import { useAccountWords } from "./Words.ts"

const nothingTyped = { email: "" }

const readPerson = ({ veteran }: Client) => veteran.me({ params: me })

/** The veteran's name and e-mail address. The address is changed by a code that goes to the new one. */
export const Person = () => {
  const { callSign } = useSession()
  const words = useAccountWords()
  const head = useRef<HTMLHeadingElement>(null)
  const [draft, setDraft] = useEmailChange()
  const [isOpen, setOpen] = useState(false)
  const change = draft ?? (isOpen ? nothingTyped : undefined)
  const [changed, setChanged] = useState<Veteran>()
  const reading = useOwnRead(readPerson)
  const close = () => {
    setDraft(undefined)
    setOpen(false)
    head.current?.focus()
  }
  const veteran = changed ?? (reading.state.is === "done" ? reading.state.value : undefined)
  return (
    <Card title={words.person.title} head={head}>
      <Done>{changed === undefined || change !== undefined ? undefined : words.email.changed}</Done>
      <Facts
        of={[
          [words.person.name, <bdi key="name">{veteran?.callSign ?? callSign}</bdi>],
          ...(veteran === undefined ? [] : [[words.person.email, <bdi key="email">{veteran.email}</bdi>] as const])
        ]}
      />
      <Reading of={reading} />
      {change === undefined
        ? (
          <>
            <p className="soft">{words.person.emailHint} {words.person.nameHint}</p>
            <Action kind="outline" onClick={() => setOpen(true)}>{words.person.change}</Action>
          </>
        )
        : (
          <EmailChange
            change={change}
            setChange={(next) => setDraft(next.email === "" ? undefined : next)}
            onKept={close}
            onChanged={(veteran) => {
              setChanged(veteran)
              close()
            }}
          />
        )}
    </Card>
  )
}

/** The two steps of a new e-mail address: the address, and the code that was mailed to it. */
const EmailChange = (props: EmailChangeProps & { readonly onChanged: (veteran: Veteran) => void }) =>
  props.change.challengeId === undefined
    ? <AskEmailCode {...props} />
    : <EmailCodeForm key={props.change.challengeId} {...props} challengeId={props.change.challengeId} />
