import { lazy } from "react"
import { Problem } from "../../shared/Problem.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"

/** The record's screen comes once one is signed in: nobody waits for it to sign in. */
export const loadRecord = () =>
  import("./Record.tsx").then(({ Record }) => ({ default: Record }), () => ({ default: NotLoaded }))

export const Record = lazy(loadRecord)

/** Its file did not come; a reload goes on with the session, at the same address. */
const NotLoaded = () => (
  <section className="card stack">
    <Heading>Record</Heading>
    <Trouble problem={Problem.make({ error: "unreachable" })} again={() => location.reload()} />
  </section>
)
