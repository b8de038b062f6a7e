import { Data, Runtime } from "effect"

/** Exit codes of the program `operator`, for scripts. */
export const exitCodes = {
  /** The service cannot be reached, or cannot do it now. */
  failed: 1,
  /** The command is wrong or was not confirmed. Nothing was changed. */
  usage: 2,
  /** Nobody, or more than one, is named so. */
  unknown: 3,
  /** The service refused: a value is taken or malformed, or the state does not allow it. */
  refused: 4,
  /** The secret is wrong or missing, or too many wrong ones were sent. */
  secret: 5
} as const

/** Its message says what to do. The program prints it on standard error. */
export class OperatorFailed extends Data.TaggedError("OperatorFailed")<{
  readonly message: string
  readonly why: keyof typeof exitCodes
}> {
  override readonly [Runtime.errorExitCode] = exitCodes[this.why]
  override readonly [Runtime.errorReported] = false
}

export const failure = (why: keyof typeof exitCodes, message: string) => new OperatorFailed({ why, message })
