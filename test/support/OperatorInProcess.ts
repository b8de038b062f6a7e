import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { Command } from "effect/cli"
import { AddressOf } from "../../src/client/operator/Asking.ts"
import { exitCodes, failure, OperatorFailed } from "../../src/client/operator/Failure.ts"
import { actsCommand, waitlistCommands } from "../../src/client/operator/OtherCommands.ts"
import { providerCommands } from "../../src/client/operator/ProviderCommands.ts"
import { veteranCommands } from "../../src/client/operator/VeteranCommands.ts"
import { commandLine } from "../../src/layers/CommandLine.ts"
import { captured } from "./Captured.ts"
import { adminSecret, type Service } from "./Service.ts"

/**
 * Runs commands of the program `operator` within the test's process. This takes a twentieth of the time of
 * `operatorAt` (OperatorProgram.ts), which starts a separate process. Use `operatorAt` for what src/operator.ts itself
 * does. It finds the service and the secret, prints why a command failed, and ends with the exit code.
 */
export const operatorInProcess = ({ url }: Pick<Service, "url">) => {
  const program = Command.runWith(
    Command.make("operator").pipe(
      Command.withSubcommands([providerCommands, veteranCommands, waitlistCommands, actsCommand])
    ),
    { version: "" }
  )
  return async (args: ReadonlyArray<string>) => {
    const { exit, stderr, stdout } = await captured(
      program(args).pipe(
        Effect.catchTag("ShowHelp", ({ errors }) => errors.length === 0 ? Effect.void : failure("usage", "")),
        Effect.provideService(AddressOf, () => Effect.succeed({ url, secret: Redacted.make(adminSecret) })),
        Effect.provide(Layer.merge(NodeHttpClient.layerUndici, commandLine("operator")))
      )
    )
    if (Exit.isSuccess(exit)) return { code: 0, stdout, stderr }
    const error = Cause.squash(exit.cause)
    if (!(error instanceof OperatorFailed)) throw error
    // What was wrong with the command line is printed already.
    return { code: exitCodes[error.why], stdout, stderr: error.message === "" ? stderr : `${stderr}${error.message}\n` }
  }
}
