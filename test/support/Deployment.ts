import { Clock, ConfigProvider, Effect, identity } from "effect"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "selfsigned"
import { assert, inject } from "vitest"
import { diagnose } from "../../src/layers/Doctor.ts"
import { generateKey } from "../../src/services/ledger/SignedNote.ts"
import { createDatabase, setDurability, type TestDatabase } from "./Database.ts"
import { openMailbox } from "./Mailbox.ts"
import { production } from "./Production.ts"
import { startProgram } from "./RunProgram.ts"
import { atWorkerEnd } from "./WorkerEnvironment.ts"

// The test files that run in one Vitest worker share everything that this module opens.

// The doctor reports a database that does not wait for the disk, so this turns the waits on. The doctor's test files
// therefore run last (vitest.config.ts).
await setDurability(inject("cluster"), "on")

export const root = await mkdtemp(join(tmpdir(), "vrss-deployment-"))

atWorkerEnd(() => rm(root, { recursive: true, force: true }))

export const file = async (name: string, text: string) => {
  const path = join(root, name)
  await writeFile(path, text)
  return path
}

export const certificate = async (name: string, days: number) => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "Clinic" }], {
    keyType: "ec",
    notBeforeDate: new Date(Date.now() - 86_400_000),
    notAfterDate: new Date(Date.now() + days * 86_400_000)
  })
  return {
    ROI_SIGNING_CERTIFICATE: await file(`${name}.crt`, cert),
    ROI_SIGNING_KEY: await file(`${name}.key`, key)
  }
}

export const mailbox = await openMailbox({ secure: "starttls", password: "canary-mail" })

atWorkerEnd(mailbox.close)

export const sound = await createDatabase()

atWorkerEnd(sound.close)

const proofSigningKey = generateKey("records.example.org/disclosures")!

/** A deployment on `database` without any problem. It has its own upload folder. */
export const deployment = async (database: TestDatabase) => ({
  ...production,
  UPLOAD_DIR: await mkdtemp(join(root, "uploads-")),
  DATABASE_APP_URL: database.url("runtime"),
  DATABASE_CA_CERT: await file("database.pem", database.caCertificate),
  SMTP_URL: mailbox.url.replace("//", "//me:canary-mail@"),
  SMTP_CA_CERT: await file("mail.pem", mailbox.authority),
  PROOF_SIGNING_KEY: proofSigningKey,
  TRUSTED_PROXY_HOPS: "1",
  MAX_CONNECTIONS: "200",
  MAX_CONNECTIONS_PER_ADDRESS: "50",
  ...await certificate("sound", 365)
})

export type Environment = Record<string, string | undefined>

export const base = await deployment(sound)

const options = { deep: false, processes: 1, testMailTo: undefined }

/** Returns the findings as `level check: problem`. */
export const found = async (environment: Environment, changes: Partial<typeof options> = {}, clock?: Clock.Clock) => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  const { results } = await Effect.runPromise(
    diagnose({ ...options, ...changes }).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(given)),
      clock === undefined ? identity : Effect.provideService(Clock.Clock, clock)
    )
  )
  return results.flatMap(({ check, findings }) => findings.map(({ level, problem }) => `${level} ${check}: ${problem}`))
}

/** Runs the program as an operator does, in an empty folder. */
export const run = async (environment: Environment, ...args: ReadonlyArray<string>) => {
  const cwd = await mkdtemp(join(root, "cwd-"))
  const outcome = await startProgram("doctor", args, { cwd, environment }).outcome
  assert.deepStrictEqual(await readdir(cwd), [])
  return outcome
}

/** Runs a statement, in which DATABASE stands for the database's name. */
export const sql = (text: string, role: "owner" | "superuser" = "superuser") => async (database: TestDatabase) => {
  await (await database.connect(role)).query(text.replaceAll("DATABASE", database.name))
  return {}
}
