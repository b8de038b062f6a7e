import { assert } from "vitest"
import { programFile } from "./Environment.ts"
import { type Outcome, startCommand, startProgram } from "./RunProgram.ts"
import { adminSecret, type Service } from "./Service.ts"

/** All commands of the program. */
export const commands: ReadonlyArray<string> = ["provider list", "provider add", "provider edit", "provider disable",
  "provider enable", "provider password-link", "veteran list", "veteran add", "veteran edit", "veteran pairing-code",
  "veteran identities", "veteran remove-identity", "veteran end-access", "veteran forget", "veteran cancel-forget",
  "veteran deletion", "veteran export", "waitlist list", "waitlist remove", "acts"]

/** Runs the program `operator` as a script does, without a terminal. */
export const operatorAt =
  ({ url }: Pick<Service, "url">, secret = adminSecret) =>
  (args: ReadonlyArray<string>, environment: Record<string, string | undefined> = {}) =>
    startProgram("operator", args, { environment: { OPERATOR_URL: url, OPERATOR_SECRET: secret, ...environment } })
      .outcome

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Runs the program at a terminal of 80 columns, where somebody types a line. Needs `script` of util-linux. */
export const operatorAtTerminal = ({ url }: Pick<Service, "url">, args: ReadonlyArray<string>, typed: string) =>
  startCommand(
    "script",
    ["-qec", `stty cols 80; ${[process.execPath, programFile("operator"), ...args].map(quoted).join(" ")}`,
      "/dev/null"],
    { environment: { OPERATOR_URL: url, OPERATOR_SECRET: adminSecret, TERM: "dumb" }, input: `${typed}\n` }
  ).outcome

/** Returns what the program printed, and asserts that it succeeded. */
export const json = ({ code, stderr, stdout }: Outcome) => {
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout)
}
