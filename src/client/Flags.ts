import { Flag } from "effect/cli"

/** A flag without a value, and without the `--no-` form that Effect gives each. */
export const onOff = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))
