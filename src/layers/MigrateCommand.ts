import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { onOff, ProgramFailed } from "../client/operator/Program.ts"
import { migrationFolder } from "../sql/MigrationFiles.ts"
import { Migrations, requireExpected } from "../sql/Migrations.ts"
import { ownerConnection } from "./Connection.ts"

const flags = {
  listPending: onOff(
    "list-pending",
    "Print the names of the pending migrations, one per line, and apply none; writes nothing"
  ),
  expect: Flag.String("expect").pipe(
    Flag.optional,
    Flag.withMetavar("a.sql,b.sql"),
    Flag.withDescription(
      "Apply only if the pending set is exactly this one (any order; \"\" is the empty set), else exit 2; " +
        "with --list-pending, compare and exit 0 or 2 without applying"
    )
  ),
  directory: Flag.String("directory").pipe(
    Flag.withDefault(migrationFolder),
    Flag.withMetavar("path"),
    Flag.withDescription("The folder of the NNN_name.sql files")
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

const migrate = Effect.fn("migrate")(
  function*({ directory, expect, listPending }: Input) {
    const connection = yield* ownerConnection
    return yield* Effect.gen(function*() {
      const migrations = yield* Migrations
      const expected = Option.getOrUndefined(Option.map(expect, (names) => names.split(",")))
      if (listPending) {
        const pending = yield* migrations.pending
        for (const name of pending) yield* Console.log(name)
        if (pending.length === 0) yield* Console.error("none pending")
        return expected === undefined ? undefined : yield* requireExpected(expected, pending)
      }
      const applied = yield* migrations.apply({
        expect: expected,
        onApplied: (name, milliseconds) =>
          Console.log(name).pipe(Effect.andThen(Console.error(`applied ${name} in ${Math.round(milliseconds)} ms`)))
      })
      if (applied.length === 0) yield* Console.error("none pending")
    }).pipe(Effect.provide(Migrations.layer({ connection, directory })))
  },
  Effect.catch(Effect.fnUntraced(function*(error) {
    yield* Console.error(error.message)
    return yield* new ProgramFailed({ message: error.message, code: error._tag === "MigrationsDiffer" ? 2 : 1 })
  }))
)

/** The program `migrate`. */
export const migrateCommand = Command.make("migrate", flags, migrate).pipe(
  Command.withDescription(
    "Applies the pending migrations over the owner connection (MIGRATION_DATABASE_URL, then DATABASE_URL). " +
      "Exit codes: 0 applied, listed or none pending; 2 refused, the pending set differs from --expect; 1 failed."
  ),
  Command.withExamples([
    { command: "migrate --list-pending", description: "What would run" },
    { command: "migrate --expect 050_a.sql,051_b.sql", description: "Run exactly that" }
  ])
)
