import { useMemo, useRef, useState } from "react"
import type { Veteran } from "../../../src/domain/Veteran.ts"
import { useRead } from "../../shared/Call.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { Card } from "./Card.tsx"
import { Done } from "./Done.tsx"
import { EmailChange } from "./EmailChange.tsx"
import { useEmailChange } from "./EmailDraft.ts"
import { useAccountWords } from "./Words.ts"

const nothingTyped = { email: "" }

/** The veteran's name and e-mail address. The address is changed by a code that goes to the new one. */
export const Person = () => {
  const { call, callSign } = useSession()
  const words = useAccountWords()
  const head = useRef<HTMLHeadingElement>(null)
  const [draft, setDraft] = useEmailChange()
  const [isOpen, setOpen] = useState(false)
  const change = draft ?? (isOpen ? nothingTyped : undefined)
  const [changed, setChanged] = useState<Veteran>()
  const { again, state } = useRead(
    useMemo(() => call(({ veteran }) => veteran.me({ params: { veteranId: "me" } })), [call])
  )
  const close = () => {
    setDraft(undefined)
    setOpen(false)
    head.current?.focus()
  }
  const veteran = changed ?? (state.is === "done" ? state.value : undefined)
  return (
    <Card title={words.person.title} head={head}>
      <Done>{changed === undefined || change !== undefined ? undefined : words.email.changed}</Done>
      <Facts
        of={[
          [words.person.name, <bdi key="name">{veteran?.callSign ?? callSign}</bdi>],
          ...(veteran === undefined ? [] : [[words.person.email, <bdi key="email">{veteran.email}</bdi>] as const])
        ]}
      />
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {change === undefined
        ? (
          <>
            <p className="soft">{words.person.emailHint} {words.person.nameHint}</p>
            <div className="actions">
              <Button kind="outline" onClick={() => setOpen(true)}>{words.person.change}</Button>
            </div>
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
