import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigProvider, Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { resolve } from "node:path"
import { ProgramFailed } from "./client/operator/Program.ts"
import { commandLine } from "./layers/CommandLine.ts"
import { moveFiles } from "./services/document/FileMove.ts"
import { UploadBucket } from "./services/document/UploadBucket.ts"
import { readSettings, Settings } from "./services/platform/Settings.ts"

const flags = {
  from: Flag.Directory("from", { mustExist: true }).pipe(
    Flag.withMetavar("folder"),
    Flag.withDescription("The folder of UPLOAD_DIR")
  ),
  to: Flag.String("to").pipe(
    Flag.withMetavar("s3://bucket/prefix"),
    Flag.withDescription("The bucket of UPLOAD_URL; the AWS_* variables lead to it, as for the service")
  )
}

const run = Effect.fn("move-files")(function*({ from, to }: Command.Command.Config.Infer<typeof flags>) {
  const environment = yield* ConfigProvider.ConfigProvider
  const { problems, settings } = yield* readSettings.pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.orElse(ConfigProvider.fromUnknown({ UPLOAD_URL: to }), environment)
    )
  )
  // Other variables are the service's. This program needs none of them.
  const wrong = problems.filter((problem) => /^(?:UPLOAD_URL|AWS_)/.test(problem))
  if (wrong.length > 0) return yield* new ProgramFailed({ message: wrong.join("\n").replaceAll("UPLOAD_URL", "--to") })
  yield* Effect.gen(function*() {
    const bucket = yield* UploadBucket
    yield* moveFiles(resolve(from), bucket!, Console.log)
  }).pipe(
    Effect.provide(UploadBucket.layer),
    Effect.provideService(Settings, settings),
    Effect.catchTag("MoveFailed", ({ message }) => new ProgramFailed({ message }))
  )
}, Effect.tapError(({ message }) => Console.error(message)))

Command.make("move-files", flags, run).pipe(
  Command.withDescription(
    "Moves the stored files from a folder to a bucket while the service serves them from both. Start all processes with " +
      "UPLOAD_URL first. Each file is unlinked only after its object was read back and compared. It can be ended and " +
      "started again at any time. Exit codes: 0 all files are moved; 1 some are left."
  ),
  Command.withExamples([
    { command: "move-files --from /var/lib/vrss/uploads --to s3://records/files", description: "Move all files" }
  ]),
  Command.run({ version: "" }),
  Effect.provide(commandLine("move-files")),
  NodeRuntime.runMain
)
