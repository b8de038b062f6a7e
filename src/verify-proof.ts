import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Option } from "effect"
import { Argument, CliConfig, Command, Flag, GlobalFlag } from "effect/cli"
import { readFile } from "node:fs/promises"
import { ProgramFailed } from "./client/operator/Program.ts"
import { type Verdict, verifyConsistency, verifyInclusion } from "./services/ledger/ExportedProof.ts"
import { parsePublicKey } from "./services/ledger/SignedNote.ts"

const file = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withMetavar("file"), Flag.withDescription(description))

const parameters = {
  key: Flag.String("key").pipe(
    Flag.withMetavar("key or file"),
    Flag.withDescription(
      "The log's public key, name+id+base64, as GET /api/proofs/key returns it, or a file with it. Get it from a source " +
        "that you trust: a person who can choose the key can forge a log"
    )
  ),
  proofs: Argument.String("proof").pipe(
    Argument.variadic(),
    Argument.withDescription("Exported proofs: JSON, or .tlog-proof files")
  ),
  leaf: file("leaf", "The text of the event, for a .tlog-proof, which does not hold it"),
  older: file("older", "A checkpoint, or an exported proof that holds one"),
  newer: file("newer", "A later checkpoint or proof, which must include everything that the older one does"),
  consistency: file("consistency", "The answer of GET /api/proofs/consistency?from=&to= for their two sizes")
}

type Input = Command.Command.Config.Infer<typeof parameters>

/** Exit code 1 means that something is not valid, 2 that the command is wrong and nothing was checked. */
const usage = (message: string) => new ProgramFailed({ code: 2, message })

const read = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => usage(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  })

const readOptional = (path: Option.Option<string>) => Option.isNone(path) ? Effect.undefined : read(path.value)

const keyOf = Effect.fnUntraced(function*(given: string) {
  const key = parsePublicKey(given) ?? parsePublicKey((yield* read(given)).trim())
  return key ?? (yield* usage("--key is no public key of a log: name+id+base64"))
})

const verdictsOf = Effect.fnUntraced(function*({ consistency, leaf, newer, older, proofs, ...input }: Input) {
  if (Option.isSome(older) !== Option.isSome(newer)) return yield* usage("--older and --newer go together")
  if (proofs.length === 0 && Option.isNone(older)) return yield* usage("there is nothing to check: see --help")
  if (Option.isSome(leaf) && proofs.length !== 1) return yield* usage("--leaf goes with one proof")
  if (Option.isSome(consistency) && Option.isNone(older)) {
    return yield* usage("--consistency goes with --older and --newer")
  }
  const key = yield* keyOf(input.key)
  const text = yield* readOptional(leaf)
  const verdicts: Array<readonly [name: string, verdict: Verdict]> = []
  for (const proof of proofs) verdicts.push([proof, verifyInclusion(yield* read(proof), text, key)])
  if (Option.isSome(older) && Option.isSome(newer)) {
    const [from, to] = [yield* read(older.value), yield* read(newer.value)]
    const verdict = verifyConsistency(from, to, yield* readOptional(consistency), key)
    verdicts.push([`${older.value}, ${newer.value}`, verdict])
  }
  return verdicts
})

const verify = Effect.fn("verify-proof")(function*(input: Input) {
  const verdicts = yield* verdictsOf(input)
  for (const [name, { sentence, valid }] of verdicts) {
    yield* Console.log(`${valid ? "VALID" : "NOT VALID"}  ${name}: ${sentence}`)
  }
  if (verdicts.some(([, { valid }]) => !valid)) return yield* new ProgramFailed({ code: 1, message: "" })
}, Effect.tapError(({ message }) => message === "" ? Effect.void : Console.error(message)))

Command.make("verify-proof", parameters, verify).pipe(
  Command.withDescription(
    "Checks exported proofs of the account of disclosures, with no network and no database: that each event is in the log as " +
      "it was signed, and that a later state of the log has changed and removed nothing of an earlier one. " +
      "Exit codes: 0 all valid; 1 something is not; 2 the command is wrong."
  ),
  Command.withExamples([
    { command: "verify-proof --key log.key proof.json", description: "Is this event in the log?" },
    {
      command: "verify-proof --key log.key --older proof.json --newer checkpoint.txt --consistency consistency.json",
      description: "Has the log kept everything since that proof?"
    }
  ]),
  Command.run({ version: "" }),
  Effect.catchTag(
    "ShowHelp",
    (help) => help.errors.length === 0 ? Effect.void : Effect.fail(new ProgramFailed({ code: 2, message: "" }))
  ),
  Effect.provide([NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help] })]),
  NodeRuntime.runMain
)
