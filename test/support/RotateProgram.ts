import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFolder } from "./App.ts"
import type { TestDatabase } from "./Database.ts"
import { startProgram } from "./RunProgram.ts"

/** Makes one key in the format of TOKEN_ENCRYPTION_KEY. */
export const newKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`

/** Runs the real program on the test's database, by default as its owner. */
export const rotation = async (database: TestDatabase) => {
  const folder = await openFolder()
  const certificate = join(folder, "ca.pem")
  await writeFile(certificate, database.caCertificate)

  const start = (
    keys: string | undefined,
    args: ReadonlyArray<string> = [],
    environment: Record<string, string | undefined> = {}
  ) =>
    startProgram("rotate-keys", args, {
      cwd: folder,
      environment: {
        MIGRATION_DATABASE_URL: database.url("owner"),
        DATABASE_CA_CERT: certificate,
        TOKEN_ENCRYPTION_KEY: keys,
        ...environment
      }
    })

  return {
    start,
    run: (keys: string | undefined, ...args: ReadonlyArray<string>) => start(keys, ["--effort", "100", ...args]).outcome
  }
}
