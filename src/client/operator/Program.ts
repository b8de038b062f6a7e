import { Data, Runtime } from "effect"
import { Flag } from "effect/cli"

/** A flag without a value, and without the `--no-` form that Effect gives each. */
export const onOff = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

/** The program has said what is wrong, and ends with this exit code; 1 without it. */
export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{
  readonly message: string
  readonly code?: 1 | 2
}> {
  override readonly [Runtime.errorExitCode] = this.code ?? 1
  override readonly [Runtime.errorReported] = false
}
