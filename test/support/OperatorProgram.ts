import { spawn } from "node:child_process"
import { assert } from "vitest"
import { inherited, programFile } from "./Environment.ts"
import { adminSecret, type Service } from "./Service.ts"

const program = programFile("operator")

/** All commands of the program. */
export const commands: ReadonlyArray<string> = ["provider list", "provider add", "provider edit", "provider disable",
  "provider enable", "provider password-link", "veteran list", "veteran add", "veteran edit", "veteran pairing-code",
  "veteran identities", "veteran remove-identity", "veteran end-access", "veteran forget", "veteran cancel-forget",
  "veteran deletion", "veteran export", "waitlist list", "waitlist remove", "acts"]

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Environment = Record<string, string | undefined>

const outcomeOf = (command: string, args: ReadonlyArray<string>, environment: Environment, input = "") => {
  const child = spawn(command, args, { env: { ...inherited, ...environment } as NodeJS.ProcessEnv })
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text)
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text)
  child.stdin.on("error", () => {}).end(input)
  return new Promise<Outcome>((ended) => void child.once("close", (code) => ended({ code, stdout, stderr })))
}

/** Runs the program `operator` as a script does, without a terminal. */
export const operatorAt =
  ({ url }: Pick<Service, "url">, secret = adminSecret) =>
  (args: ReadonlyArray<string>, environment: Environment = {}) =>
    outcomeOf(process.execPath, [program, ...args], { OPERATOR_URL: url, OPERATOR_SECRET: secret, ...environment })

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Runs the program at a terminal of 80 columns, where somebody types a line. Needs `script` of util-linux. */
export const operatorAtTerminal = ({ url }: Pick<Service, "url">, args: ReadonlyArray<string>, typed: string) =>
  outcomeOf(
    "script",
    ["-qec", `stty cols 80; ${[process.execPath, program, ...args].map(quoted).join(" ")}`, "/dev/null"],
    { OPERATOR_URL: url, OPERATOR_SECRET: adminSecret, TERM: "dumb" },
    `${typed}\n`
  )

/** Returns what the program printed, and asserts that it succeeded. */
export const json = ({ code, stderr, stdout }: Outcome) => {
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout)
}
