import type { ReactNode } from "react"
import type { Problem } from "../shared/Problem.ts"
import { Notice } from "../shared/ui/Notice.tsx"
import { Trouble } from "../shared/ui/Trouble.tsx"

type Own = ReactNode | { readonly title: string; readonly text: ReactNode }

/** Why something could not be done. `own` are the words that a part of the app has for some problems. */
export const OwnTrouble = ({ again, own, problem }: {
  /** Without one, nothing is said. */
  readonly problem: Problem | undefined
  readonly own: Readonly<Record<string, Own>>
  readonly again?: () => void
}) => {
  const words = problem !== undefined && Object.hasOwn(own, problem.error) ? own[problem.error] : undefined
  if (words === undefined) return <Trouble problem={problem} {...again === undefined ? {} : { again }} />
  return isTitled(words)
    ? <Notice kind="error" live title={words.title}>{words.text}</Notice>
    : <Notice kind="error" live>{words}</Notice>
}

const isTitled = (words: Own): words is Exclude<Own, ReactNode> =>
  typeof words === "object" && words !== null && "title" in words
