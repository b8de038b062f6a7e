import { useState } from "react"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { hasDrafts } from "../../shared/Drafts.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useTitle } from "../../shared/Title.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { ForgetDevice } from "../account/ForgetDevice.tsx"
import { ToVa } from "../connect/ToVa.tsx"
import { OpenByPasskey } from "../passkey/OpenByPasskey.tsx"
import { hasPasskeys } from "../passkey/Touch.ts"
import type { Ending } from "../session/Ending.ts"
import { Unfinished } from "./Unfinished.tsx"

/** The app is locked (S3). Nothing of a record is in the page or in memory. */
export const Locked = ({ ending, onForget, onOpen, refusal, unfinished }: {
  readonly ending?: Ending | undefined
  readonly refusal?: Problem | undefined
  readonly unfinished: boolean
  readonly onForget: () => void
  readonly onOpen: (access: AppAccess) => void
}) => {
  useTitle("Locked")
  const [asked, setAsked] = useState(false)
  return (
    <section className="card stack">
      <Heading>Locked</Heading>
      {ending === undefined ? null : <p>{endingWords[ending]}</p>}
      <Offline />
      {unfinished ? <Unfinished /> : null}
      {hasDrafts()
        ? (
          <p>
            What you began is still here.{" "}
            <a href="/" target="_blank" rel="noreferrer">Sign in in a new window</a>, then come back.
          </p>
        )
        : null}
      <OpenByPasskey onOpen={onOpen} />
      <ToVa refusal={refusal} kind={hasPasskeys ? "outline" : "main"}>
        {hasPasskeys ? "Sign in at VA instead" : "Sign in at VA"}
      </ToVa>
      <div className="actions">
        <Button kind="outline" onClick={() => setAsked(true)}>Forget this device</Button>
      </div>
      {asked ? <ForgetDevice onForget={onForget} onKeep={() => setAsked(false)} /> : null}
    </section>
  )
}

const endingWords: Readonly<Record<Ending, string>> = {
  away: "The app locks after 5 minutes away, and when you close it.",
  idle: "The app locks after 15 minutes without use.",
  time: "The app locks 12 hours after you signed in.",
  refused: "Your session has ended. It may have been ended from another device.",
  signedOut: "You signed out."
}
