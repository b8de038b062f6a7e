import type { Effect } from "effect"
import type { Name } from "../platform/Variables.ts"

/** An error means that the service does not do all that it must; a warning, that this will or may happen later. */
export interface Finding {
  readonly level: "error" | "warning"
  /** These three are sentences for a reader who does not know the source, without secrets or the content of a row. */
  readonly problem: string
  readonly meaning: string
  readonly remedy: string
}

/** One thing to look at. It writes nothing to the database. */
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

/** Makes an error of the sentence with which the service refuses to start. */
export const refusal = (sentence: string, remedy: string, meaning = "The service does not start.") =>
  error(`${sentence[0]!.toUpperCase()}${sentence.slice(1).replace(/\.$/, "")}.`, meaning, remedy)

/** Makes one finding of all sentences, or none if there are none. */
export const refusals = (sentences: ReadonlyArray<string>, remedy: string, meaning: string) =>
  sentences.length === 0 ? [] : [refusal(sentences.join("\n  "), remedy, meaning)]

export const where = (...cases: ReadonlyArray<readonly [holds: boolean, finding: Finding]>) =>
  cases.flatMap(([holds, finding]) => holds ? [finding] : [])
