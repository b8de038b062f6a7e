import { useRef, useState } from "react"
import type { DeviceSession } from "../../../src/domain/DeviceSession.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { Action, Button } from "../../shared/ui/Button.tsx"
import { Question } from "../../shared/ui/Question.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead, useOwnSending } from "../session/Own.ts"
import { Card } from "./Card.tsx"
import { Done } from "./Done.tsx"
import { useAccountWords } from "./Words.ts"

const readDevices = ({ deviceSessions }: Client) => deviceSessions.list({ params: me })

/** Where the veteran is signed in. Each session can be ended from here, at once on every device. */
export const Devices = () => {
  const { devices: words } = useAccountWords()
  const head = useRef<HTMLHeadingElement>(null)
  const { busy, call, off, problem, send } = useOwnSending()
  const [isAsked, setAsked] = useState(false)
  const [ended, setEnded] = useState<string>()
  const reading = useOwnRead(readDevices)
  const end = (session: DeviceSession) => {
    setEnded(undefined)
    send(call(({ deviceSessions }) => deviceSessions.end({ params: { ...me, sessionId: session.id } })), () => {
      // The pressed button is about to be removed, and the focus must not be lost with it (WCAG 2.4.3).
      head.current?.focus()
      setEnded(session.deviceName ?? words.unnamedInside)
      reading.refresh()
    })
  }
  return (
    <Card title={words.title} head={head}>
      <Done>{ended === undefined ? undefined : words.ended(ended)}</Done>
      <Trouble problem={problem} />
      <Reading of={reading}>
        {({ items }) => (
          <ul className="rows">
            {items.map((session) => (
              <li key={session.id}>
                <Device of={session} />
                {session.current
                  ? <Tag kind="good">{words.current}</Tag>
                  : (
                    <Button
                      kind="outline"
                      aria-label={words.endOn(session.deviceName ?? words.unnamedInside)}
                      busy={busy}
                      off={off}
                      onClick={() => end(session)}
                    >
                      {words.end}
                    </Button>
                  )}
              </li>
            ))}
          </ul>
        )}
      </Reading>
      <Action kind="outline" off={off} onClick={() => setAsked(true)}>{words.endAll}</Action>
      {isAsked ? <EndAll onKeep={() => setAsked(false)} /> : null}
    </Card>
  )
}

const Device = ({ of: { createdAt, deviceName, lastUsedAt, network } }: { readonly of: DeviceSession }) => {
  const { devices: words } = useAccountWords()
  return (
    <div className="what">
      <strong>
        <bdi>{deviceName ?? words.unnamed}</bdi>
      </strong>
      <p className="soft">{words.facts(dayWords(createdAt), timeWords(lastUsedAt), network)}</p>
    </div>
  )
}

/** Asks before every session ends, and then locks this device too. */
const EndAll = ({ onKeep }: { readonly onKeep: () => void }) => {
  const { devices: words } = useAccountWords()
  const { busy, call, problem, send, signOut } = useOwnSending()
  const end = () => send(call(({ deviceSessions }) => deviceSessions.endAll({ params: me })), signOut)
  return (
    <Question title={words.allTitle} keep={[words.keep, onKeep]} go={[words.confirm, end]} busy={busy}>
      <p>{words.allText}</p>
      <Trouble problem={problem} />
    </Question>
  )
}
