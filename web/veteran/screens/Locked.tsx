import { useState } from "react"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { hasDrafts, useDraft } from "../../shared/Drafts.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useTitle } from "../../shared/Title.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { ForgetDevice } from "../account/ForgetDevice.tsx"
import { waitingInvite } from "../connect/Invite.ts"
import { ToVa } from "../connect/ToVa.tsx"
import { useConnectWords } from "../connect/Words.ts"
import { OpenByPasskey } from "../passkey/ByTouch.tsx"
import { hasPasskeys } from "../passkey/Touch.ts"
import type { BegunRelease } from "../release/Memory.ts"
import { addressOf, useRoute } from "../Route.ts"
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
  const words = useConnectWords()
  const { locked } = words
  const route = useRoute()
  const [release] = useDraft<BegunRelease | undefined>(addressOf(route), undefined)
  // Nobody knows yet whether a release is signed whose signing got no answer.
  const isUnsigned = route.screen === "release" && release !== undefined && release.attempt === undefined
  const [asked, setAsked] = useState(false)
  useTitle(locked.title)
  return (
    <section className="card stack">
      <Heading>{locked.title}</Heading>
      {ending === undefined ? null : <p>{locked.endings[ending]}</p>}
      <Offline />
      {unfinished ? <Unfinished /> : null}
      {route.screen === "share" && waitingInvite() !== undefined ? <p>{locked.invited}</p> : null}
      {hasDrafts()
        ? (
          <p>
            {isUnsigned ? locked.unsigned : locked.begun} {hasPasskeys ? locked.touch : null}{" "}
            <a href="/" target="_blank" rel="noreferrer">{locked.newWindow}</a>
            {locked.comeBack}
          </p>
        )
        : null}
      <OpenByPasskey onOpen={onOpen} />
      <ToVa refusal={refusal} kind={hasPasskeys ? "outline" : "main"}>
        {hasPasskeys ? locked.instead : locked.signIn}
      </ToVa>
      <Action kind="outline" onClick={() => setAsked(true)}>{locked.forget}</Action>
      {asked ? <ForgetDevice onForget={onForget} onKeep={() => setAsked(false)} /> : null}
    </section>
  )
}
