import { useWords } from "../language/Language.ts"

/** Shows the current step of a short process. `at` counts from 0. */
export const Steps = ({ at, of }: { readonly at: number; readonly of: ReadonlyArray<string> }) => {
  const { stepDone, steps } = useWords()
  return (
    <ol className="steps" aria-label={steps}>
      {of.map((step, index) => (
        <li key={step} className={index < at ? "done" : ""} {...(index === at ? { "aria-current": "step" } : {})}>
          {step}
          {index < at ? <span className="spoken">{stepDone}</span> : null}
        </li>
      ))}
    </ol>
  )
}
