import { Cause, ConfigProvider, Effect, Exit, Layer } from "effect"
import { assert } from "vitest"
import { App } from "../../src/layers/App.ts"

/**
 * Starts the service within the test's process and asserts that the start is refused. Returns the lines that the
 * program would print (src/main.ts). This takes a tenth of the time of `refused` (Service.ts), which starts a separate
 * process. Use `refused` for starts outside production, because they write to the current folder. Use it also to test
 * the exit status and the output of src/main.ts.
 */
export const refusedInProcess = async (environment: Record<string, string | undefined>) => {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  const exit = await Layer.build(Layer.fresh(App)).pipe(
    Effect.scoped,
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables)),
    Effect.runPromiseExit
  )
  if (Exit.isSuccess(exit)) throw new Error("the start was not refused")
  const error = Cause.squash(exit.cause) as Error
  // An error without a tag is a defect, which the program prints with its stack.
  assert.property(error, "_tag", `${error.stack}`)
  return error.message.split("\n")
}
