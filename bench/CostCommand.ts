import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readFile, writeFile } from "node:fs/promises"
import type { Tree } from "./Bench.ts"
import { measureCost } from "./cost.ts"
import { CostMeasured } from "./CostFigures.ts"
import { costOf, wallsOf } from "./CostModel.ts"
import { report } from "./CostTable.ts"

const number = (name: string, value: number, description: string) =>
  Flag.Finite(name).pipe(Flag.withDefault(value), Flag.withDescription(`${description}: ${value} unless given`))

const assumed = {
  items: number("items", 5000, "Items of a veteran's record"),
  syncsADay: number("syncs-a-day", 1, "Syncs of a veteran in a day"),
  changed: number("changed", 100, "Items that a sync finds changed"),
  viewsAMonth: number("views-a-month", 1, "Views of a veteran's record by providers in a month"),
  requestsADay: number("requests-a-day", 10, "Small requests of a veteran in a day"),
  mailsAMonth: number("mails-a-month", 1, "Mails to or about a veteran in a month"),
  files: number("files", 5, "Files kept for a veteran"),
  fileMb: number("file-mb", 1, "Size of a file in MB"),
  eventYears: number("event-years", 6, "Years that events are kept"),
  peak: number("peak", 5, "The busiest second of a day, as a multiple of the day's mean"),
  busy: number("busy", 0.5, "Share of a core that may be busy at the peak"),
  maxConnections: number("max-connections", 500, "PostgreSQL's max_connections on a large machine"),
  writerCores: number("writer-cores", 64, "Cores of the largest database machine"),
  inMemory: number("in-memory", 0.003, "Share of the database that its machine holds in memory"),
  gbPerCore: number("gb-per-core", 8, "GB of memory that a database machine has for each core"),
  walMb: number("wal-mb", 200, "MB of WAL that a writer, its standby and its archive take in a second"),
  diskTb: number("disk-tb", 16, "TB of one disk"),
  backupHours: number("backup-hours", 8, "Hours that a backup may take"),
  physicalMb: number("physical-mb", 500, "MB that a physical backup copies in a second"),
  mailMs: number("mail-ms", 200, "Milliseconds until a mail server has taken a mail")
}

const dated = (name: string, value: number, description: string) =>
  number(name, value, `${description}, in dollars (a rough price of 2026-11)`)

const prices = {
  databaseCoreHour: dated("database-core-hour", 0.13, "A core of a database machine for an hour"),
  databaseGbMonth: dated("database-gb-month", 0.225, "A GB of database storage for a month, I/O included"),
  processCoreHour: dated("process-core-hour", 0.05, "A core of a machine for the service for an hour"),
  fileGbMonth: dated("file-gb-month", 0.023, "A GB of files for a month"),
  backupGbMonth: dated("backup-gb-month", 0.021, "A GB of backups for a month")
}

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(CostMeasured))

export const costCommand = (tree: Tree) =>
  Command.make(
    "cost",
    {
      assumed,
      prices,
      json: Flag.String("json").pipe(Flag.withDescription("A file that gets all of it as JSON"), Flag.optional),
      from: Flag.String("from").pipe(
        Flag.withDescription("A file that --json wrote: its figures are taken, and nothing is measured"),
        Flag.optional
      ),
      veterans: Argument.Int("veterans").pipe(
        Argument.variadic(),
        Argument.withDescription("Numbers of veterans: 10000 1000000 10000000 where none is given")
      )
    },
    Effect.fnUntraced(function*({ assumed, from, json, prices, veterans }) {
      const { figures, ground } = Option.isSome(from)
        ? decode(yield* Effect.promise(() => readFile(from.value, "utf8")))
        : yield* measureCost(tree)
      const sizes = veterans.length > 0 ? veterans : [10_000, 1_000_000, 10_000_000]
      const costs = sizes.map((size) => costOf(size, figures, assumed, prices))
      const all = { ground, figures, assumed, prices, costs, walls: wallsOf(figures, assumed) }
      yield* Console.log(report(all))
      if (Option.isNone(json)) return
      yield* Effect.promise(() => writeFile(json.value, `${JSON.stringify(all, null, 2)}\n`))
    })
  ).pipe(Command.withDescription(
    "What a number of veterans costs, and at which number each wall is met. Sizes and processor times are measured in some minutes, on the patients of the tests. All else is arithmetic from them and from what the flags assume."
  ))
