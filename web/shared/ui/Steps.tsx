/** Shows the current step of a short process. `at` counts from 0. */
export const Steps = ({ at, of }: { readonly at: number; readonly of: ReadonlyArray<string> }) => (
  <ol className="steps" aria-label="Steps">
    {of.map((step, index) => (
      <li key={step} className={index < at ? "done" : ""} {...(index === at ? { "aria-current": "step" } : {})}>
        {step}
        {index < at ? <span className="spoken">(done)</span> : null}
      </li>
    ))}
  </ol>
)
