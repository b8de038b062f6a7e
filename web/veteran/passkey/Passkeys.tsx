import { useEffect, useRef, useState } from "react"
import { maxPasskeys, type Passkey } from "../../../src/domain/Passkey.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Question } from "../../shared/ui/Question.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Done } from "../account/Done.tsx"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead, useOwnSending } from "../session/Own.ts"
import { AddPasskey } from "./AddPasskey.tsx"
import { passkeyText, usePasskeyWords } from "./Words.ts"

const readPasskeys = ({ passkeys }: Client) => passkeys.list({ params: me })

/** The passkeys that open this record: a card of the screen Account. */
export const Passkeys = () => {
  const words = usePasskeyWords()
  const head = useRef<HTMLHeadingElement>(null)
  const [asked, setAsked] = useState<Passkey>()
  const [news, setNews] = useState<string>()
  const [trouble, setTrouble] = useState<string>()
  const { busy, call, off, send } = useOwnSending()
  const reading = useOwnRead(readPasskeys)
  const remove = ({ id, name }: Passkey) => {
    setNews(undefined)
    setTrouble(undefined)
    const done = () => {
      setAsked(undefined)
      setNews(words.removed(name ?? words.unnamed))
      reading.refresh()
    }
    send(call(({ passkeys }) => passkeys.remove({ params: { ...me, passkeyId: id } })), done, (problem) => {
      if (problem.error === "not_found") return done()
      setAsked(undefined)
      setTrouble(passkeyText(problem))
    })
  }
  // The dialog has closed by now, so that it no longer holds the focus. The pressed button may be gone (WCAG 2.4.3).
  useEffect(() => news === undefined && trouble === undefined ? undefined : head.current?.focus(), [news, trouble])
  return (
    <section className="card stack">
      <h2 tabIndex={-1} ref={head}>{words.title}</h2>
      <p>{words.why}</p>
      <p className="soft">{words.safe}</p>
      <Done>{news}</Done>
      {trouble === undefined ? null : <Notice kind="error" live>{trouble}</Notice>}
      <Reading of={reading}>
        {({ items }) => (
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
                  reading.refresh()
                }}
              />
            )}
          </>
        )}
      </Reading>
      {asked === undefined ? null : (
        <Question
          title={words.removeTitle(asked.name ?? words.unnamed)}
          keep={[words.keep, () => setAsked(undefined)]}
          go={[words.remove, () => remove(asked)]}
          busy={busy}
        >
          <p>{words.removeWhat}</p>
        </Question>
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
