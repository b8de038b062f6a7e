import { useState } from "react"
import { hasDrafts } from "../../shared/Drafts.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useTitle } from "../../shared/Title.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { ForgetDevice } from "../account/ForgetDevice.tsx"
import { ToVa } from "../connect/ToVa.tsx"
import type { Ending } from "../session/Ending.ts"
import { Unfinished } from "./Unfinished.tsx"

/** The app is locked (S3). Nothing of a record is in the page or in memory. */
export const Locked = ({ ending, onForget, refusal, unfinished }: {
  readonly ending?: Ending | undefined
  readonly refusal?: Problem | undefined
  readonly unfinished: boolean
  readonly onForget: () => void
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
      <ToVa refusal={refusal}>Sign in at VA</ToVa>
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
