import type { Problem } from "../../shared/Problem.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"

/** In place of a record that is being opened, or could not be. */
export const Opening = ({ again, problem }: {
  readonly problem?: Problem | undefined
  readonly again?: () => void
}) => (
  <section className="card stack">
    <Heading>Record</Heading>
    {problem === undefined
      ? <Loading>Opening the record</Loading>
      : <Trouble problem={problem} {...(again === undefined ? {} : { again })} />}
  </section>
)
