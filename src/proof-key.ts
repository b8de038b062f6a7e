import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { Argument, CliConfig, Command, GlobalFlag } from "effect/cli"
import { ProgramFailed } from "./client/operator/Program.ts"
import { generateKey, parsePrivateKey, publicKeyText } from "./services/ledger/SignedNote.ts"

const name = Argument.String("name").pipe(
  Argument.withDescription(
    "The log's permanent name, such as records.example.org/disclosures, without white space and +"
  )
)

/** Only the secret value goes to stdout, so that it can be piped into a secret store. The public key goes to stderr. */
Command.make(
  "proof-key",
  { name },
  Effect.fn("proof-key")(function*({ name }) {
    const text = generateKey(name)
    if (text === undefined) {
      return yield* new ProgramFailed({ message: "The name must not be empty, and hold neither white space nor +." })
    }
    yield* Console.log(text)
    yield* Console.error(`public key: ${publicKeyText(parsePrivateKey(text)!)}`)
  }, Effect.tapError(({ message }) => Console.error(message)))
).pipe(
  Command.withDescription("Makes a value for PROOF_SIGNING_KEY, which signs the account of disclosures."),
  Command.run({ version: "" }),
  Effect.provide([NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help] })]),
  NodeRuntime.runMain
)
