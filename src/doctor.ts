import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Exit, Option, References, type Runtime, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { onOff } from "./client/operator/Program.ts"
import { EmailAddress } from "./domain/Scalars.ts"
import { commandLine } from "./layers/CommandLine.ts"
import { diagnose } from "./layers/Doctor.ts"
import type { Result } from "./services/doctor/Examination.ts"

const flags = {
  json: onOff("json", "Print one JSON object: {sound, checks: [{check, skipped?, findings}], retention}"),
  verbose: onOff("verbose", "Also name each check that found nothing, and how long data is kept"),
  deep: onOff("deep", "Examine every stored file and every veteran's values instead of some; may take long"),
  processes: Flag.Int("processes").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
    Flag.withDefault(1),
    Flag.withMetavar("n"),
    Flag.withDescription("How many processes of the service run on this database")
  ),
  testMail: Flag.String("send-test-mail").pipe(
    Flag.withSchema(EmailAddress),
    Flag.optional,
    Flag.withMetavar("address"),
    Flag.withDescription("Send one mail to this address; otherwise none is sent")
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

/** True if no check found an error; undefined if the doctor could not run. */
let sound: boolean | undefined

const doctor = Effect.fn("doctor")(function*({ deep, json, processes, testMail, verbose }: Input) {
  const { results, rules } = yield* diagnose({ deep, processes, testMailTo: Option.getOrUndefined(testMail) }).pipe(
    // No log lines: the findings contain everything, and a program may parse standard output.
    Effect.provideService(References.MinimumLogLevel, "None")
  )
  sound = results.every(({ findings }) => findings.every(({ level }) => level !== "error"))
  // Findings contain names from the database, so control characters are removed before the terminal sees them.
  if (json) return yield* Console.log(JSON.stringify({ sound, checks: results, retention: rules }, null, 2))
  const kept = rules.map(({ after, from, what }) =>
    `kept  ${what}: ${after === undefined ? "never" : `${after} after ${from}`}`
  )
  for (const paragraph of [...paragraphs(results, verbose), ...(verbose ? kept : [])]) {
    yield* Console.log(paragraph.replace(/[^\P{Cc}\n]/gu, "?"))
  }
})

const paragraphs = (results: ReadonlyArray<Result>, verbose: boolean) => {
  const found = results.flatMap(({ check, findings }) =>
    findings.map(({ level, meaning, problem, remedy }) =>
      `${level.toUpperCase()}  ${check}: ${problem}\n  ${meaning}\n  Do: ${remedy}\n`
    )
  )
  const reasons = Object.groupBy(results.filter(({ skipped }) => skipped !== undefined), ({ skipped }) => skipped!)
  const skipped = Object.entries(reasons).map(([reason, some = []]) =>
    `not looked at  ${some.map(({ check }) => check).join(", ")}: ${reason}`
  )
  const fine = results.filter(({ findings, skipped }) => findings.length === 0 && skipped === undefined)
  const count = (level: string) =>
    results.flatMap(({ findings }) => findings).filter((one) => one.level === level).length
  const [errors, warnings, advice] = [count("error"), count("warning"), count("advice")]
  const advised = advice === 0 ? "" : `; advice: ${advice}`
  return [
    ...found,
    ...(verbose ? fine.map(({ check }) => `sound  ${check}`) : []),
    ...skipped,
    errors + warnings === 0
      ? `sound: ${fine.length} checks found nothing${advised}`
      : `${errors} errors, ${warnings} warnings; ${fine.length} checks found nothing${advised}`
  ]
}

/** Exit code 1: it found an error. Exit code 2: it failed before it had findings, for example due to a wrong flag. */
const teardown: Runtime.Teardown = (exit, onExit) => onExit(Exit.isFailure(exit) ? 2 : sound === false ? 1 : 0)

Command.make("doctor", flags, doctor).pipe(
  Command.withDescription(
    "Looks at a deployment with the service's own configuration, as the service's own user: settings, machine, database, " +
      "roles, policies, files, sealed values, mail and clock. Says what is wrong, what it means and what to do. It changes nothing. " +
      "Exit codes: 0 sound, or warnings and advice alone; 1 errors; 2 the doctor could not run."
  ),
  Command.withExamples([
    { command: "doctor", description: "Before a start, after a restore, and whenever something is odd" },
    { command: "doctor --json --processes 3", description: "For a script, with three processes of the service" }
  ]),
  Command.run({ version: "" }),
  Effect.provide(commandLine("doctor")),
  // Prints only the error's name, because its message may quote a value.
  Effect.tapDefect((defect) => Console.error(`doctor: could not run: ${(defect as Error).name}`)),
  NodeRuntime.runMain({ disableErrorReporting: true, teardown })
)
