import { useMemo, useState } from "react"
import type { DeviceSession } from "../../../src/domain/DeviceSession.ts"
import { useAction, useRead } from "../../shared/Call.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { useOffReason } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { useSession } from "../session/Session.ts"
import { EndAll } from "./EndAll.tsx"

/** Where the veteran is signed in. Each session can be ended from here, at once on every device. */
export const Devices = () => {
  const { call } = useSession()
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
      document.querySelector<HTMLElement>("h1")?.focus()
      setEnded(nameOf(session))
      refresh()
    })
  }
  return (
    <section className="card stack">
      <h2>Where I am signed in</h2>
      <div role="status">
        {ended === undefined
          ? null
          : <Notice kind="success">Ended on {ended}. It can no longer open your record.</Notice>}
      </div>
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
                  ? <Tag kind="good">This device</Tag>
                  : (
                    <Button
                      kind="outline"
                      aria-label={`End on ${nameOf(session)}`}
                      busy={busy}
                      off={off}
                      onClick={() => end(session)}
                    >
                      End
                    </Button>
                  )}
              </li>
            ))}
          </ul>
        )
        : null}
      <div className="actions">
        <Button kind="outline" off={off} onClick={() => setAsked(true)}>End all, this one too</Button>
      </div>
      {isAsked ? <EndAll onKeep={() => setAsked(false)} /> : null}
    </section>
  )
}

const nameOf = ({ deviceName }: DeviceSession) => deviceName ?? "a device without a name"

const Device = ({ of: { createdAt, deviceName, lastUsedAt, network } }: { readonly of: DeviceSession }) => (
  <div className="device">
    <strong>
      <bdi>{deviceName ?? "A device without a name"}</bdi>
    </strong>
    <p className="soft">
      Signed in {dayWords(createdAt)}. Last used {timeWords(lastUsedAt)}, from network {network}.
    </p>
  </div>
)
