import { useState } from "react"
import { dayWords } from "../../shared/Dates.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"
import { newDraft } from "../share/Draft.ts"
import type { Given } from "../share/Giving.ts"
import { keepDraft, keptDraft } from "../share/KeptDraft.ts"
import { useReplaced } from "../share/Replaced.ts"
import "../share/share.css"
import { steps } from "../share/Step.ts"
import { Wizard } from "../share/Wizard.tsx"
import "../sharing/sharing.css"

/** S10: shares with a provider in five steps, or changes the share whose grant `replaces` names. */
export const Share = ({ replaces }: { readonly replaces?: string }) => {
  const { veteranId } = useSession()
  const [kept] = useState(() => keptDraft(veteranId, replaces))
  const [given, setGiven] = useState<Given>()
  const onGiven = (made: Given) => {
    keepDraft(undefined)
    setGiven(made)
  }
  return (
    <>
      <Offline />
      {given !== undefined
        ? <Done given={given} />
        : kept !== undefined || replaces === undefined
        ? <Wizard begin={kept ?? { draft: newDraft, step: 0 }} replaces={replaces} onGiven={onGiven} />
        : <Change replaces={replaces} onGiven={onGiven} />}
    </>
  )
}

const Change = ({ onGiven, replaces }: { readonly replaces: string; readonly onGiven: (given: Given) => void }) => {
  const { again, state } = useReplaced(replaces)
  if (state.is === "done" && state.value !== undefined) {
    return <Wizard begin={{ draft: state.value, step: steps.length - 1 }} replaces={replaces} onGiven={onGiven} />
  }
  return (
    <>
      <Heading>Change or extend</Heading>
      <Loading when={state.is === "pending"} />
      {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
      {state.is === "done"
        ? (
          <section className="card stack">
            <p>This share has ended. You can share again.</p>
            <div className="actions">
              <a className="usa-button" href={addressOf({ screen: "share" })}>Share again</a>
              <a className="usa-button usa-button--outline" href={addressOf({ screen: "sharing" })}>Open Sharing</a>
            </div>
          </section>
        )
        : null}
    </>
  )
}

const Done = ({ given: { expiresAt, recipient } }: { readonly given: Given }) => (
  <>
    <Heading>
      <bdi>{recipient.displayName}</bdi> can see your record until {dayWords(expiresAt)}.
    </Heading>
    <p>They find it at their sign-in. Nothing was mailed.</p>
    <div className="actions">
      <a className="usa-button" href={addressOf({ screen: "sharing" })}>See who has my record</a>
      <a className="usa-button usa-button--outline" href={addressOf({ screen: "home" })}>Home</a>
    </div>
  </>
)
