import type { ReactNode } from "react"
import { useWords } from "../../shared/language/Language.ts"
import { Problem } from "../../shared/Problem.ts"
import { Action, Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { ToVa } from "../connect/ToVa.tsx"
import { addressOf } from "../Route.ts"
import { Causes, saidOnce } from "./Causes.tsx"
import { KindRows } from "./KindRows.tsx"
import type { KindProgress } from "./Messages.ts"
import type { UpdateState } from "./RunningUpdate.ts"
import { useUpdateWords } from "./Words.ts"

interface Given {
  readonly state: UpdateState
  /** Begins again, with these kinds or with all that are not stored yet. */
  readonly again: (resourceTypes?: ReadonlyArray<string>) => void
}

/** How an update ended, and what can be done next. */
export const UpdateEnd = (given: Given) => {
  const { again, state } = given
  const { before, end: words } = useUpdateWords()
  const { tryAgain } = useWords()
  if (state.phase === "elsewhere") {
    return (
      <Step title={before.title}>
        <Notice kind="info">
          <p>{words.elsewhere}</p>
          <Action kind="outline" onClick={() => again()}>{tryAgain}</Action>
        </Notice>
      </Step>
    )
  }
  if (state.phase === "stopped") {
    return (
      <Step title={words.stopped}>
        <Unfinished state={state} onward={() => again()}>{words.sent}</Unfinished>
        <Kinds state={state} />
      </Step>
    )
  }
  if (state.end === "va_over") {
    return (
      <Step title={words.vaOver}>
        <Unfinished state={state}>{words.vaOverText}</Unfinished>
        <Kinds state={state} />
      </Step>
    )
  }
  if (state.end instanceof Problem) {
    return (
      <Step title={words.failed}>
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

const Unfinished = ({ children, onward, state }: {
  readonly children: string
  /** Without it, the update goes on after a sign-in at the VA. */
  readonly onward?: () => void
  readonly state: UpdateState
}) => {
  const { before: { goOn }, newKinds } = useUpdateWords()
  return (
    <section className="card stack">
      <p>{children}</p>
      <p className="soft">{newKinds([...state.kinds.values()].filter(isComplete).length)}</p>
      {onward === undefined ? <ToVa>{goOn}</ToVa> : <Action onClick={onward}>{goOn}</Action>}
    </section>
  )
}

const Updated = ({ again, state }: Given) => {
  const { end: words } = useUpdateWords()
  const { tryAgain } = useWords()
  const all = [...state.kinds.values()]
  const rest = all.filter((kind) => !isComplete(kind))
  return (
    <Step title={words.updated}>
      <Notice kind={rest.length === 0 ? "success" : "warning"}>
        <div className="stack">
          <p>
            {rest.length === 0 ? words.all(all.length) : words.some(all.length - rest.length, all.length)}
          </p>
          {rest.length === 0 ? null : (
            <div className="actions">
              <Button kind="outline" onClick={() => again(rest.map(({ resourceType }) => resourceType))}>
                {tryAgain}
              </Button>
            </div>
          )}
        </div>
      </Notice>
      <p>
        <a href={addressOf({ screen: "record" })}>{words.see}</a>
      </p>
      <Kinds state={state} />
      <p className="soft small">{words.heldBack}</p>
    </Step>
  )
}

/** The kinds that are not complete stand first, with the reason. */
const Kinds = ({ state }: { readonly state: UpdateState }) => {
  const all = [...state.kinds.values()]
  const { end: words } = useUpdateWords()
  const said = saidOnce(all)
  const rest = all.filter((kind) => !isComplete(kind))
  const complete = all.filter(isComplete)
  return (
    <>
      <Causes of={all} />
      {rest.length === 0 ? null : (
        <section className="card stack">
          <h2>{words.incomplete}</h2>
          <KindRows label={words.incompleteList} of={rest} said={said} />
        </section>
      )}
      {complete.length === 0 ? null : (
        <section className="card stack">
          <h2>{words.complete}</h2>
          <KindRows label={words.completeList} of={complete} said={said} />
        </section>
      )}
    </>
  )
}
