import { describe, test } from "vitest"

/**
 * Describes tests that need a program. Vitest runs the body of a skipped `describe` to collect its tests, and such a
 * body may start the program. So this runs no body where something is missing.
 */
export const describeWith = (
  isMissing: boolean,
  title: string,
  body: () => void | Promise<void>,
  options: { readonly concurrent?: boolean } = {}
) =>
  isMissing
    ? describe.skip(title, () => test("needs what is missing here", () => {}))
    : describe(title, options, body)
