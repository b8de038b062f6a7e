import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { commandLine } from "./layers/CommandLine.ts"
import { migrateCommand } from "./layers/MigrateCommand.ts"

migrateCommand.pipe(
  Command.run({ version: "" }),
  Effect.provide(commandLine("migrate")),
  NodeRuntime.runMain
)
