import type { Effect } from "effect"
import type { Name } from "../platform/Variables.ts"

/** An error keeps the service from its work, or its promises; a warning will, or may. */
export interface Finding {
  readonly level: "error" | "warning"
  /** A sentence each, for somebody who does not know the source. None holds a secret, or anything of a row. */
  readonly problem: string
  readonly meaning: string
  readonly remedy: string
}

/** One thing to look at. It writes nothing to the database. */
export interface Check<R> {
  readonly name: string
  /** Where one of these variables is wrong there is nothing to look at. */
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

/** Keeps the findings of those conditions that hold. */
export const where = (...cases: ReadonlyArray<readonly [holds: boolean, finding: Finding]>) =>
  cases.flatMap(([holds, finding]) => holds ? [finding] : [])
