import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFolder } from "./App.ts"
import type { TestDatabase } from "./Database.ts"
import { inherited, programFile } from "./Environment.ts"

const program = programFile("rotate-keys")

/** Makes one key in the format of TOKEN_ENCRYPTION_KEY. */
export const newKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`

/** Runs the real program on the test's database, by default as its owner. */
export const rotation = async (database: TestDatabase) => {
  const folder = await openFolder()
  const certificate = join(folder, "ca.pem")
  await writeFile(certificate, database.caCertificate)

  const start = (keys: string | undefined, args: ReadonlyArray<string> = [], environment: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: {
        ...inherited,
        MIGRATION_DATABASE_URL: database.url("owner"),
        DATABASE_CA_CERT: certificate,
        TOKEN_ENCRYPTION_KEY: keys,
        ...environment
      }
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text)
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text)
    const outcome = new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
      (ended) => {
        child.on("close", (code) => ended({ code, stdout, stderr }))
      }
    )
    return { child, outcome }
  }

  return {
    start,
    run: (keys: string | undefined, ...args: ReadonlyArray<string>) => start(keys, ["--effort", "100", ...args]).outcome
  }
}
