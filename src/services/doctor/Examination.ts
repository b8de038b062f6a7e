import { Cause, Effect } from "effect"
import type { Check, Finding } from "./Finding.ts"

export interface Result {
  readonly check: string
  /** Why the check was not made. */
  readonly skipped?: string
  readonly findings: ReadonlyArray<Finding>
}

/** No check takes longer than this, even if a server does not answer. */
const maxWait = "20 seconds"

/** Makes the checks one after the other. If a check cannot be completed, that is a finding too. */
export const examine = <R>(checks: ReadonlyArray<Check<R>>, problems: ReadonlyArray<string>) =>
  Effect.forEach(checks, ({ name, needs, run }): Effect.Effect<Result, never, R> => {
    const wrong = needs.find((variable) => problems.some((problem) => problem.split(/\W/, 1)[0] === variable))
    if (wrong !== undefined) return Effect.succeed({ check: name, skipped: `${wrong} is wrong`, findings: [] })
    return run.pipe(
      Effect.timeout(maxWait),
      Effect.catchCause((cause) => Effect.succeed([notMade(cause)])),
      Effect.map((findings) => ({ check: name, findings }))
    )
  })

const notMade = (cause: Cause.Cause<unknown>): Finding => ({
  level: "error",
  problem: `This could not be looked at: ${codeOf(Cause.squash(cause))}.`,
  meaning: "The thing it looks at may be broken, or another finding is the reason.",
  remedy: "Correct the other findings first, and run the doctor again."
})

/** Returns only the code of the database, the driver or the system, because an error's message may quote rows. */
const codeOf = (error: unknown): string => {
  if (typeof error === "string") return error
  const { _tag, cause, code, name, reason } = error as
    & {
      readonly [part in "_tag" | "code" | "name"]?: string
    }
    & { readonly [part in "cause" | "reason"]?: unknown }
  if (code !== undefined) return code
  if (typeof reason === "object" && reason !== null) return codeOf(reason)
  if (typeof cause === "object" && cause !== null) return codeOf(cause)
  return _tag === "TimeoutError" ? `no answer within ${maxWait}` : _tag ?? name ?? "unknown"
}
