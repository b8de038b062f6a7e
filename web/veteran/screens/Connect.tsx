import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useTitle } from "../../shared/Title.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { useConfirmWords } from "../confirm/Words.ts"
import { waitingInvite } from "../connect/Invite.ts"
import { ToVa } from "../connect/ToVa.tsx"
import { useConnectWords } from "../connect/Words.ts"
import { OpenByPasskey } from "../passkey/ByTouch.tsx"
import { useRoute } from "../Route.ts"
import { Unfinished } from "./Unfinished.tsx"

/** The first screen on a device that nobody has signed in on (S1). */
export const Connect = ({ onOpen, refusal, unfinished }: {
  readonly refusal?: Problem | undefined
  readonly unfinished: boolean
  readonly onOpen: (access: AppAccess) => void
}) => {
  const words = useConnectWords()
  const { elsewhere } = useConfirmWords()
  const { screen } = useRoute()
  useTitle(words.connect.tab)
  return (
    <section className="card stack">
      <Heading>{words.connect.title}</Heading>
      <p>{words.connect.text}</p>
      <Offline />
      {unfinished ? <Unfinished /> : null}
      {screen === "share" && waitingInvite() !== undefined ? <p>{words.connect.invited}</p> : null}
      {screen === "confirm" ? <p>{elsewhere}</p> : null}
      <ToVa refusal={refusal}>{words.connect.go}</ToVa>
      <OpenByPasskey kind="link" onOpen={onOpen} />
      <p>{words.connect.promise}</p>
      <details>
        <summary>{words.connect.whatWeKeep}</summary>
        <p>{words.connect.kept}</p>
      </details>
    </section>
  )
}
