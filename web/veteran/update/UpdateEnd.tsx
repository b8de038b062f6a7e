import type { ReactNode } from "react"
import { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { ToVa } from "../connect/ToVa.tsx"
import { addressOf } from "../Route.ts"
import { Causes, saidOnce } from "./Causes.tsx"
import { KindRows } from "./KindRows.tsx"
import type { KindProgress } from "./Messages.ts"
import type { UpdateState } from "./RunningUpdate.ts"
import { kinds, newWords } from "./UpdateWords.ts"

interface Given {
  readonly state: UpdateState
  /** Begins again, with these kinds or with all that are not stored yet. */
  readonly again: (resourceTypes?: ReadonlyArray<string>) => void
}

/** How an update ended, and what can be done next. */
export const UpdateEnd = (given: Given) => {
  const { again, state } = given
  if (state.phase === "elsewhere") {
    return (
      <Step title="Update your record">
        <Notice kind="info">
          <p>An update runs in another window.</p>
          <div className="actions">
            <Button kind="outline" onClick={() => again()}>Try again</Button>
          </div>
        </Notice>
      </Step>
    )
  }
  if (state.phase === "stopped") {
    return (
      <Step title="Update stopped">
        <Unfinished state={state} onward={() => again()}>What was sent stays here.</Unfinished>
        <Kinds state={state} />
      </Step>
    )
  }
  if (state.end === "va_over") {
    return (
      <Step title="Sign in at VA again">
        <Unfinished state={state}>
          Your sign-in at VA has ended. Sign in again, and the update goes on.
        </Unfinished>
        <Kinds state={state} />
      </Step>
    )
  }
  if (state.end instanceof Problem) {
    return (
      <Step title="Update did not finish">
        <Trouble problem={state.end} again={() => again()} />
        <Kinds state={state} />
      </Step>
    )
  }
  return <Updated {...given} />
}

const Step = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <>
    <Heading>{title}</Heading>
    {children}
  </>
)

const isComplete = ({ step }: KindProgress) => step === "complete" || step === "empty"

const newKinds = (state: UpdateState) => [...state.kinds.values()].filter(isComplete).length

const Unfinished = ({ children, onward, state }: {
  readonly children: string
  /** Without it, the update goes on after a sign-in at the VA. */
  readonly onward?: () => void
  readonly state: UpdateState
}) => (
  <section className="card stack">
    <p>{children}</p>
    <p className="soft">{newWords(newKinds(state))}</p>
    {onward === undefined ? <ToVa>Go on</ToVa> : (
      <div className="actions">
        <Button onClick={onward}>Go on</Button>
      </div>
    )}
  </section>
)

const Updated = ({ again, state }: Given) => {
  const all = [...state.kinds.values()]
  const rest = all.filter((kind) => !isComplete(kind))
  return (
    <Step title="Updated">
      <Notice kind={rest.length === 0 ? "success" : "warning"}>
        <div className="stack">
          <p>
            Updated. {rest.length === 0
              ? `All ${kinds(all.length)} are complete.`
              : `${all.length - rest.length} of ${kinds(all.length)} are complete.`}
          </p>
          {rest.length === 0 ? null : (
            <div className="actions">
              <Button kind="outline" onClick={() => again(rest.map(({ resourceType }) => resourceType))}>
                Try again
              </Button>
            </div>
          )}
        </div>
      </Notice>
      <p>
        <a href={addressOf({ screen: "record" })}>See your record</a>
      </p>
      <Kinds state={state} />
      <p className="soft small">VA holds back new notes and results for some hours.</p>
    </Step>
  )
}

/** The kinds that are not complete stand first, with the reason. */
const Kinds = ({ state }: { readonly state: UpdateState }) => {
  const all = [...state.kinds.values()]
  const said = saidOnce(all)
  const rest = all.filter((kind) => !isComplete(kind))
  const complete = all.filter(isComplete)
  return (
    <>
      <Causes of={all} />
      {rest.length === 0 ? null : (
        <section className="card stack">
          <h2>Not complete</h2>
          <KindRows label="Kinds that are not complete" of={rest} said={said} />
        </section>
      )}
      {complete.length === 0 ? null : (
        <section className="card stack">
          <h2>Complete</h2>
          <KindRows label="Kinds that are complete" of={complete} said={said} />
        </section>
      )}
    </>
  )
}
