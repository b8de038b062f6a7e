import { useEffect, useMemo, useRef, useState } from "react"
import { maxPasskeys, type Passkey } from "../../../src/domain/Passkey.ts"
import { useAction, useRead } from "../../shared/Call.ts"
import { dayWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { AddPasskey } from "./AddPasskey.tsx"
import { RemovePasskey } from "./RemovePasskey.tsx"
import { passkeyText, usePasskeyWords } from "./Words.ts"

/** The passkeys that open this record: a card of the screen Account. */
export const Passkeys = () => {
  const words = usePasskeyWords()
  const { call } = useSession()
  const head = useRef<HTMLHeadingElement>(null)
  const [asked, setAsked] = useState<Passkey>()
  const [news, setNews] = useState<string>()
  const [trouble, setTrouble] = useState<string>()
  const { busy, start } = useAction()
  const off = useOffReason()
  const { again, refresh, state } = useRead(
    useMemo(() => call(({ passkeys }) => passkeys.list({ params: { veteranId: "me" } })), [call])
  )
  const remove = ({ id, name }: Passkey) => {
    setNews(undefined)
    setTrouble(undefined)
    const removal = call(({ passkeys }) => passkeys.remove({ params: { veteranId: "me", passkeyId: id } }))
    start(removal, (outcome) => {
      setAsked(undefined)
      if (outcome.is === "failed" && outcome.problem.error !== "not_found") {
        return setTrouble(passkeyText(outcome.problem))
      }
      setNews(words.removed(name ?? words.unnamed))
      refresh()
    })
  }
  // The dialog has closed by now, so that it no longer holds the focus. The pressed button may be gone (WCAG 2.4.3).
  useEffect(() => news === undefined && trouble === undefined ? undefined : head.current?.focus(), [news, trouble])
  const items = state.is === "done" ? state.value.items : undefined
  return (
    <section className="card stack">
      <h2 tabIndex={-1} ref={head}>{words.title}</h2>
      <p>{words.why}</p>
      <p className="soft">{words.safe}</p>
      <div role="status">{news === undefined ? null : <Notice kind="success">{news}</Notice>}</div>
      {trouble === undefined ? null : <Notice kind="error" live>{trouble}</Notice>}
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {items === undefined
        ? null
        : (
          <>
            {items.length === 0 ? <p>{words.none}</p> : (
              <ul className="rows">
                {items.map((passkey) => (
                  <li key={passkey.id}>
                    <About of={passkey} />
                    <Button
                      kind="outline"
                      aria-label={words.removeOf(passkey.name ?? words.unnamed)}
                      busy={busy}
                      off={off}
                      onClick={() => setAsked(passkey)}
                    >
                      {words.remove}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {items.length >= maxPasskeys ? <p>{words.most(maxPasskeys)}</p> : (
              <AddPasskey
                onAdded={() => {
                  setNews(words.added)
                  refresh()
                }}
              />
            )}
          </>
        )}
      {asked === undefined ? null : (
        <RemovePasskey
          name={asked.name ?? words.unnamed}
          busy={busy}
          onRemove={() => remove(asked)}
          onKeep={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

const About = ({ of: { createdAt, lastUsedAt, name } }: { readonly of: Passkey }) => {
  const words = usePasskeyWords()
  return (
    <div className="device">
      <strong>
        <bdi>{name ?? words.unnamed}</bdi>
      </strong>
      <p className="soft">
        {words.made(dayWords(createdAt))}. {lastUsedAt === null ? words.unused : words.used(dayWords(lastUsedAt))}.
      </p>
    </div>
  )
}
