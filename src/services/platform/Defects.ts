import { Cause } from "effect"
import { codesOf, type ErrorCodes } from "../../sql/ErrorCodes.ts"

/** What may be revealed about a failure: its kind and place, but not its message, which may quote a client's data. */
interface Description extends ErrorCodes {
  readonly defect: string
  readonly reason?: string | undefined
  readonly at?: ReadonlyArray<string> | undefined
}

export const describeDefect = (defect: unknown): Description => {
  const { _tag, name, reason, stack } = Object(defect) as {
    readonly _tag?: string
    readonly name?: string
    readonly stack?: string
    readonly reason?: { readonly _tag?: string }
  }
  return {
    defect: _tag ?? name ?? typeof defect,
    reason: reason?._tag,
    ...codesOf(defect),
    at: stack?.split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 8).map((line) => line.trim())
  }
}

/** Returns nothing for an empty cause or an interruption, because neither is a failure. */
export const describeCause = (cause: Cause.Cause<unknown>): Partial<Description> =>
  cause.reasons.length === 0 || Cause.hasInterruptsOnly(cause) ? {} : describeDefect(Cause.squash(cause))
