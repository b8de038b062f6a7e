import { Console, Effect } from "effect"

/** Runs a command of a program within the test's process. Returns what it prints, and how it ends. */
export const captured = async <E>(command: Effect.Effect<void, E>) => {
  let [stdout, stderr] = ["", ""]
  const lines: Console.Console = Object.assign(Object.create(console), {
    log: (text: string) => stdout += `${text}\n`,
    error: (text: string) => stderr += `${text}\n`
  })
  const exit = await Effect.runPromiseExit(Effect.provideService(command, Console.Console, lines))
  return { exit, stdout, stderr }
}
