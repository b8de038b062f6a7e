import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Data, Effect, Option, Runtime } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { commandLine } from "../src/layers/CommandLine.ts"
import { mayBuild, stampOf } from "../src/pages/BuiltPages.ts"
import { portal, type Site, veteran } from "../src/pages/Sites.ts"
import { buildPages } from "./PageBuild.ts"

class NotBuilt extends Data.TaggedError("NotBuilt")<{ readonly message: string }> {
  override readonly [Runtime.errorReported] = false
}

const sites = { portal, veteran }

const site = Flag.Literals("site", ["portal", "veteran"]).pipe(
  Flag.optional,
  Flag.withDescription("The portal's pages or the veteran's app; without it, both")
)

const out = Flag.String("out").pipe(
  Flag.optional,
  Flag.withDescription(
    "The folder for the pages of --site, or else of the portal: a new one, an empty one, or one with built pages"
  )
)

const plain = Flag.Boolean("plain").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Writes no .br and .gz, which take most of the time; npm start builds this way")
)

/** True for a folder with files that no build made: a build would delete them with the old pages. */
const isForeign = (folder: string) =>
  existsSync(folder) && !existsSync(stampOf(folder)) && !existsSync(`${folder}.lock`) && readdirSync(folder).length > 0

const build = Effect.fn("build")(function*(site: Site, out: string, plain: boolean) {
  const folder = resolve(out)
  if (isForeign(folder)) {
    return yield* new NotBuilt({ message: `${out} has files other than the built pages: choose another folder` })
  }
  const files = yield* Effect.tryPromise({
    try: () => buildPages(site, folder, plain),
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
})

Command.make(
  "build",
  { out, plain, site },
  Effect.fn("build")(function*({ out, plain, site }) {
    if (!mayBuild()) {
      return yield* new NotBuilt({
        message: "Vite, which builds the pages, is not installed: run npm ci without --omit=dev"
      })
    }
    const named = Option.map(site, (name) => sites[name])
    if (Option.isSome(out)) return yield* build(Option.getOrElse(named, () => portal), out.value, plain)
    const all = Option.match(named, { onNone: () => [portal, veteran], onSome: (one) => [one] })
    for (const one of all) yield* build(one, one.folder, plain)
  }, Effect.tapError(({ message }) => Console.error(message)))
).pipe(
  Command.withDescription(
    "Builds the portal's pages and the veteran's app if their sources have changed: static files with their .br and .gz."
  ),
  Command.run({ version: "" }),
  Effect.provide(commandLine("npm run build")),
  NodeRuntime.runMain
)
