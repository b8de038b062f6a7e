import type { Effect } from "effect"
import type { Name } from "../platform/Variables.ts"

/**
 * An error: the service now fails at something that it must do. A warning: it will or may fail later. Advice: a choice
 * that is sound, and whose price the operator should know.
 */
export interface Finding {
  readonly level: "error" | "warning" | "advice"
  /** The next three texts are for readers who do not know the source. They contain no secret and no data from a row. */
  readonly problem: string
  readonly meaning: string
  readonly remedy: string
}

/** One thing that the doctor looks at. A check writes nothing to the database. */
export interface Check<R> {
  readonly name: string
  /** The check is skipped if one of these variables is wrong. */
  readonly needs: ReadonlyArray<Name>
  readonly run: Effect.Effect<ReadonlyArray<Finding>, unknown, R>
}

export const check = <R>(
  name: string,
  needs: ReadonlyArray<Name>,
  run: Effect.Effect<ReadonlyArray<Finding>, unknown, R>
): Check<R> => ({ name, needs, run })

const finding = (level: Finding["level"]) => (problem: string, meaning: string, remedy: string): Finding => ({
  level,
  problem,
  meaning,
  remedy
})

export const error = finding("error")

export const warning = finding("warning")

const findingIf =
  (level: Finding["level"]) => (holds: boolean, ...texts: [problem: string, meaning: string, remedy: string]) =>
    holds ? [finding(level)(...texts)] : []

export const errorIf = findingIf("error")

export const warningIf = findingIf("warning")

export const adviceIf = findingIf("advice")

/** Makes an error from a sentence that says why the service refuses to start. */
export const refusal = (sentence: string, remedy: string, meaning = "The service does not start.") =>
  error(`${sentence[0]!.toUpperCase()}${sentence.slice(1).replace(/\.$/, "")}.`, meaning, remedy)

/** Combines all sentences into one finding. Returns no finding if there are no sentences. */
export const refusals = (sentences: ReadonlyArray<string>, remedy: string, meaning: string) =>
  sentences.length === 0 ? [] : [refusal(sentences.join("\n  "), remedy, meaning)]
