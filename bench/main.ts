import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { commandLine } from "../src/layers/CommandLine.ts"
import { benchmarks, goals } from "./benchmarks.ts"
import { growth } from "./growth.ts"
import { measure, type Measured } from "./Rounds.ts"
import { lineOf, tableOf } from "./Table.ts"

const own = { path: fileURLToPath(new URL("..", import.meta.url)) }

const shared = {
  rounds: Flag.Int("rounds").pipe(
    Flag.withDescription("Another number of rounds than each figure has"),
    Flag.optional
  ),
  json: Flag.String("json").pipe(Flag.withDescription("A file that gets the table as JSON too"), Flag.optional)
}

/** The table goes to standard output, as in docs/speed.md; progress goes to standard error. */
const print = Effect.fnUntraced(
  function*(table: string, measured: ReadonlyArray<Measured>, json: Option.Option<string>, other?: string) {
    yield* Console.log(table)
    if (Option.isNone(json)) return
    const text = JSON.stringify({ at: new Date(), compared: other ?? null, lines: measured.map(lineOf) }, null, 2)
    yield* Effect.promise(() => writeFile(json.value, `${text}\n`))
  }
)

const grown = Command.make(
  "growth",
  {
    ...shared,
    sizes: Argument.Int("items").pipe(
      Argument.variadic(),
      Argument.withDescription("Numbers of items, the smallest first: 10000 1000000 10000000 where none is given")
    )
  },
  Effect.fnUntraced(function*({ json, rounds, sizes }) {
    const all = sizes.length > 0 ? sizes : [10_000, 1_000_000, 10_000_000]
    const measured = yield* growth(own, all, Option.getOrUndefined(rounds))
    yield* print(tableOf(measured, undefined), measured, json)
  })
).pipe(Command.withDescription(
  "What each read and write costs beside tables of so many items of other veterans, as a ratio to the first. 10,000,000 need 14 GB of disk and some ten minutes to be made; all is removed at the end."
))

Command.make(
  "bench",
  {
    ...shared,
    only: Flag.Literals("only", Object.keys(benchmarks)).pipe(
      Flag.withDescription("Only these figures; it may stand more than once"),
      Flag.atLeast(0)
    ),
    few: Flag.Boolean("goals").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("The table of goals: all but hostile, in at most three rounds each")
    ),
    compare: Flag.String("compare").pipe(
      Flag.withDescription(
        "Another checkout, with its own node_modules, in the same rounds and with a column of its own"
      ),
      Flag.optional
    )
  },
  Effect.fnUntraced(function*({ compare, few, json, only, rounds }) {
    const other = Option.getOrUndefined(compare)
    const trees = other === undefined ? [own] : [own, { path: resolve(other) }]
    const chosen = Object.entries(few ? goals : benchmarks).filter(([name]) => only.length === 0 || only.includes(name))
    const measured = yield* Effect.forEach(
      chosen,
      ([name, benchmark]) =>
        measure(
          name,
          benchmark,
          trees,
          Option.getOrElse(rounds, () => few ? Math.min(3, benchmark.rounds) : benchmark.rounds)
        )
    )
    yield* print(tableOf(measured.flat(), other), measured.flat(), json, other)
  })
).pipe(
  Command.withDescription(
    "Measures figures in rounds, each beside its floor, and prints one table. On a busy machine absolute times mean nothing; ratios within a round do."
  ),
  Command.withSubcommands([grown]),
  Command.run({ version: "" }),
  Effect.provide(commandLine("npm run bench --")),
  NodeRuntime.runMain
)
