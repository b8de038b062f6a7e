import type { Problem } from "../../shared/Problem.ts"
import { useTitle } from "../../shared/Title.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { useConfirmWords } from "../confirm/Words.ts"
import { waitingInvite } from "../connect/Invite.ts"
import { ToVa } from "../connect/ToVa.tsx"
import { useRoute } from "../Route.ts"
import { Unfinished } from "./Unfinished.tsx"

/** The first screen on a device that nobody has signed in on (S1). */
export const Connect = ({ refusal, unfinished }: {
  readonly refusal?: Problem | undefined
  readonly unfinished: boolean
}) => {
  useTitle("Connect")
  const confirmWords = useConfirmWords()
  const { screen } = useRoute()
  return (
    <section className="card stack">
      <Heading>See your VA health record</Heading>
      <p>Share it with whom you choose. Stop at any time.</p>
      <Offline />
      {unfinished ? <Unfinished /> : null}
      {screen === "share" && waitingInvite() !== undefined
        ? <p>Connect first. Then you can share with the clinic.</p>
        : null}
      {screen === "confirm" ? <p>{confirmWords.elsewhere}</p> : null}
      <ToVa refusal={refusal}>Connect to VA</ToVa>
      <p>You sign in at VA. We never see your password. VA's key to your record stays on this phone.</p>
      <details>
        <summary>What we keep</summary>
        <p>A copy of your record, locked. This phone keeps no health data.</p>
      </details>
    </section>
  )
}
