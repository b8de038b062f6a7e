import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer, Redacted } from "effect"
import { Command } from "effect/cli"
import { AddressOf } from "./client/operator/Asking.ts"
import { failure } from "./client/operator/Failure.ts"
import { actsCommand, waitlistCommands } from "./client/operator/OtherCommands.ts"
import { providerCommands } from "./client/operator/ProviderCommands.ts"
import { veteranCommands } from "./client/operator/VeteranCommands.ts"
import { commandLine } from "./layers/CommandLine.ts"
import { readOperatorSecrets } from "./services/platform/OperatorSecrets.ts"
import { variable } from "./services/platform/Settings.ts"
import { isLoopback, withoutEndSlashes } from "./services/platform/VariableRules.ts"

/** The secret comes from the environment alone, because other users of the machine see each command line. */
const addressOf: AddressOf["Service"] = Effect.fnUntraced(function*(flag) {
  const named = flag ?? (yield* variable("OPERATOR_URL")) ?? `http://localhost:${(yield* variable("PORT")) ?? "8080"}`
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (
    url === undefined || !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ""
  ) {
    return yield* failure("usage", "--url and OPERATOR_URL must be an address such as https://api.example.org")
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[(.*)\]$/, "$1"))) {
    return yield* failure("usage", `The secret is not sent to ${url.host} without TLS: use its https address.`)
  }
  const own = yield* variable("OPERATOR_SECRET")
  const ofService = yield* variable("INTERNAL_ADMIN_SECRET")
  const secret = own === undefined
    ? ofService === undefined ? undefined : readOperatorSecrets(ofService)[0]!.secret
    : Redacted.make(own)
  if (secret === undefined) {
    return yield* failure(
      "usage",
      "OPERATOR_SECRET is missing: set it to your secret, one of the service's INTERNAL_ADMIN_SECRET, without its name."
    )
  }
  if (!/^[\x20-\x7e]+$/.test(Redacted.value(secret))) {
    return yield* failure("usage", "OPERATOR_SECRET has a character that no HTTP header can have.")
  }
  return { url: withoutEndSlashes(url.href), secret }
})

Command.make("operator").pipe(
  Command.withDescription(
    "Finds, changes, disables and forgets people of a running service, for its operator (docs/operator.md, \"People\"). " +
      "The secret is OPERATOR_SECRET of the environment, else the first of INTERNAL_ADMIN_SECRET. Exit codes: 0 done; " +
      "1 the service cannot be reached or cannot do it now; 2 the command is wrong or was not confirmed; 3 nobody, or " +
      "more than one, is named so; 4 refused, such as a value that is taken; 5 the secret is wrong or limited."
  ),
  Command.withExamples([
    { command: "operator veteran end-access 1012345678V123456", description: "\"I lost my phone\"" },
    { command: "operator provider password-link ada.gray@clinic.example", description: "\"I cannot sign in\"" },
    { command: "operator acts --from 2026-11-01", description: "Who did what" }
  ]),
  Command.withSubcommands([providerCommands, veteranCommands, waitlistCommands, actsCommand]),
  Command.run({ version: "" }),
  Effect.tapErrorTag("OperatorFailed", ({ message }) => Console.error(message)),
  // What was wrong with the command line is printed already.
  Effect.catchTag("ShowHelp", ({ errors }) => errors.length === 0 ? Effect.void : Effect.fail(failure("usage", ""))),
  Effect.provideService(AddressOf, addressOf),
  Effect.provide(Layer.merge(NodeHttpClient.layerUndici, commandLine("operator"))),
  NodeRuntime.runMain
)
