import { useMemo, useRef, useState } from "react"
import type { DeviceSession } from "../../../src/domain/DeviceSession.ts"
import { useAction, useRead } from "../../shared/Call.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { Card } from "./Card.tsx"
import { Done } from "./Done.tsx"
import { EndAll } from "./EndAll.tsx"
import { useAccountWords } from "./Words.ts"

/** Where the veteran is signed in. Each session can be ended from here, at once on every device. */
export const Devices = () => {
  const { devices: words } = useAccountWords()
  const { call } = useSession()
  const head = useRef<HTMLHeadingElement>(null)
  const { busy, start } = useAction()
  const [isAsked, setAsked] = useState(false)
  const [ended, setEnded] = useState<string>()
  const [problem, setProblem] = useState<Problem>()
  const off = useOffReason()
  const { again, refresh, state } = useRead(
    useMemo(() => call(({ deviceSessions }) => deviceSessions.list({ params: { veteranId: "me" } })), [call])
  )
  const end = (session: DeviceSession) => {
    setProblem(undefined)
    setEnded(undefined)
    const ending = call(({ deviceSessions }) =>
      deviceSessions.end({ params: { veteranId: "me", sessionId: session.id } })
    )
    start(ending, (outcome) => {
      if (outcome.is === "failed") return setProblem(outcome.problem)
      // The pressed button is about to be removed, and the focus must not be lost with it (WCAG 2.4.3).
      head.current?.focus()
      setEnded(session.deviceName ?? words.unnamedInside)
      refresh()
    })
  }
  return (
    <Card title={words.title} head={head}>
      <Done>{ended === undefined ? undefined : words.ended(ended)}</Done>
      {problem === undefined ? null : <Trouble problem={problem} />}
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done"
        ? (
          <ul className="rows">
            {state.value.items.map((session) => (
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
        )
        : null}
      <div className="actions">
        <Button kind="outline" off={off} onClick={() => setAsked(true)}>{words.endAll}</Button>
      </div>
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
