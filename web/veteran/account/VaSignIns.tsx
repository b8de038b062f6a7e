import { useEffect, useRef, useState } from "react"
import { deviceSessionLimits, type VeteranIdentity } from "../../../src/domain/DeviceSession.ts"
import { timeWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { AddSignIn } from "./AddSignIn.tsx"
import { Card } from "./Card.tsx"
import { Done } from "./Done.tsx"
import { RemoveSignIn } from "./RemoveSignIn.tsx"
import { useAccountWords } from "./Words.ts"

const readSignIns = ({ deviceSessions }: Client) => deviceSessions.identities({ params: me })

/** The accounts at the VA that open the veteran's record. */
export const VaSignIns = () => {
  const { looked, signIns: words } = useAccountWords()
  const head = useRef<HTMLHeadingElement>(null)
  const off = useOffReason()
  const [asked, setAsked] = useState<{ readonly id: string; readonly name: string }>()
  const reading = useOwnRead(readSignIns)
  const { again, state } = reading
  const [news, setNews] = useState<"looked" | "added" | "tried">()
  // A dialog has closed by now, so that it no longer holds the focus.
  useEffect(() => news === undefined ? undefined : head.current?.focus(), [news])
  const items = state.is === "done" ? state.value.items : []
  return (
    <Card title={words.title} head={head}>
      <p>{words.text}</p>
      <Done kind={news === "added" ? "success" : "info"}>
        {news === "added" ? words.done : news === "looked" && state.is === "done" ? looked : undefined}
      </Done>
      <Reading of={reading} />
      <ul className="rows">
        {items.map((identity, index) => (
          <li key={identity.id}>
            <SignIn of={identity} name={words.name(index + 1)} isOnly={items.length === 1} />
            {items.length === 1 ? null : (
              <Button
                kind="outline"
                aria-label={words.removeNamed(words.name(index + 1))}
                off={off}
                onClick={() => {
                  setNews(undefined)
                  setAsked({ id: identity.id, name: words.name(index + 1) })
                }}
              >
                {words.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {items.length >= deviceSessionLimits.identities
        ? <p className="soft">{words.full(deviceSessionLimits.identities)}</p>
        : (
          <AddSignIn
            onAdded={(isAdded) => {
              setNews(isAdded ? "added" : "tried")
              again()
            }}
          />
        )}
      {asked === undefined ? null : (
        <RemoveSignIn
          {...asked}
          onKeep={() => setAsked(undefined)}
          onChanged={() => {
            setAsked(undefined)
            setNews("looked")
            again()
          }}
        />
      )}
    </Card>
  )
}

const SignIn = ({ isOnly, name, of: { how, issuer, pairedAt } }: {
  readonly of: VeteranIdentity
  readonly name: string
  readonly isOnly: boolean
}) => {
  const { signIns: words } = useAccountWords()
  return (
    <div className="what">
      <strong>{name}</strong>
      <p className="soft">{words.added[how](timeWords(pairedAt))} {words.account(hostOf(issuer))}</p>
      {isOnly ? <p className="soft">{words.only}</p> : null}
    </div>
  )
}

const hostOf = (issuer: string) => URL.parse(issuer)?.host ?? issuer
