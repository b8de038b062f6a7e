import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Data, Effect, Runtime } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { commandLine } from "../src/layers/CommandLine.ts"
import { builtPages, mayBuild, stampOf } from "../src/pages/BuiltPages.ts"
import { buildPages } from "./PageBuild.ts"

class NotBuilt extends Data.TaggedError("NotBuilt")<{ readonly message: string }> {
  override readonly [Runtime.errorReported] = false
}

const out = Flag.String("out").pipe(
  Flag.withDefault(builtPages),
  Flag.withDescription("The folder for the pages: a new one, an empty one, or one with built pages")
)

/** True for a folder with files that no build made: a build would delete them with the old pages. */
const isForeign = (folder: string) =>
  existsSync(folder) && !existsSync(stampOf(folder)) && !existsSync(`${folder}.lock`) && readdirSync(folder).length > 0

Command.make(
  "web:build",
  { out },
  Effect.fn("web:build")(function*({ out }) {
    const folder = resolve(out)
    if (!mayBuild()) {
      return yield* new NotBuilt({
        message: "Vite, which builds the pages, is not installed: run npm ci without --omit=dev"
      })
    }
    if (isForeign(folder)) {
      return yield* new NotBuilt({ message: `${out} has files other than the built pages: choose another folder` })
    }
    const files = yield* Effect.tryPromise({
      try: () => buildPages(folder),
      catch: (error) => new NotBuilt({ message: error instanceof Error ? error.message : `${error}` })
    })
    if (files === undefined) return yield* Console.log(`${folder} is up to date`)
    for (const file of files) {
      if (/\.(br|gz)$/.test(file)) continue
      const sizes = ["", ".br", ".gz"].filter((ending) => files.includes(`${file}${ending}`)).map((ending) =>
        `${statSync(join(folder, file + ending)).size}${ending}`
      )
      yield* Console.log(`${join(relative(".", folder), file)}  ${sizes.join(" ")}`)
    }
  }, Effect.tapError(({ message }) => Console.error(message)))
).pipe(
  Command.withDescription(
    "Builds the portal's pages if their sources have changed: static files, each with its .br and .gz."
  ),
  Command.run({ version: "" }),
  Effect.provide(commandLine("npm run web:build")),
  NodeRuntime.runMain
)
