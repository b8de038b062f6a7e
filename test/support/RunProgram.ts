import { spawn } from "node:child_process"
import { inherited, programFile } from "./Environment.ts"

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Options {
  readonly cwd?: string
  readonly environment?: Record<string, string | undefined>
  readonly input?: string
}

/** Starts a command without a terminal. `outcome` is there when it has ended. */
export const startCommand = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd, environment = {}, input = "" }: Options = {}
) => {
  const child = spawn(command, args, { cwd, env: { ...inherited, ...environment } as NodeJS.ProcessEnv })
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text)
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text)
  child.stdin.on("error", () => {}).end(input)
  const outcome = new Promise<Outcome>((ended) => {
    child.once("close", (code) => ended({ code, stdout, stderr }))
  })
  return { child, outcome }
}

/** Starts a program of src, as an operator does. */
export const startProgram = (name: string, args: ReadonlyArray<string>, options?: Options) =>
  startCommand(process.execPath, [programFile(name), ...args], options)
