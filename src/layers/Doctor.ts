import { Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { retentionRules } from "../domain/Retention.ts"
import { bucketCheck } from "../services/doctor/BucketChecks.ts"
import { configurationChecks, problemsOfSettings } from "../services/doctor/ConfigurationChecks.ts"
import { notConnected as connectionFinding } from "../services/doctor/ConnectionFinding.ts"
import { databaseChecks } from "../services/doctor/DatabaseChecks.ts"
import { examine, type Result } from "../services/doctor/Examination.ts"
import { filesCheck, folderCheck } from "../services/doctor/FileChecks.ts"
import { type Check, refusal, warning } from "../services/doctor/Finding.ts"
import { googleCheck } from "../services/doctor/GoogleCheck.ts"
import { keysCheck } from "../services/doctor/KeyChecks.ts"
import { ledgerCheck } from "../services/doctor/LedgerCheck.ts"
import { machineChecks } from "../services/doctor/MachineChecks.ts"
import { mailCheck } from "../services/doctor/MailCheck.ts"
import { rowChecks } from "../services/doctor/RowChecks.ts"
import { vaKeysCheck } from "../services/doctor/VaKeysCheck.ts"
import { veteranAppChecks } from "../services/doctor/VeteranAppChecks.ts"
import { Crypto } from "../services/platform/Crypto.ts"
import { readSettings, Settings } from "../services/platform/Settings.ts"
import { Actors } from "../sql/Actor.ts"
import { SessionConnections, SharedConnections } from "../sql/Connections.ts"
import { runtimeVariable, sessionVariable } from "../sql/Sessions.ts"
import { connection, ignoredMode, readCertificate } from "./Connection.ts"
import { checkReachable, notConnected, runtimePool } from "./Database.ts"

export interface DoctorOptions {
  /** Look at all rows and files instead of a sample. */
  readonly deep: boolean
  /** Number of processes of the service on this database. */
  readonly processes: number
  readonly testMailTo: string | undefined
}

/** Checks everything that the service depends on. Returns the findings of each check, and the retention rules. */
export const diagnose = Effect.fnUntraced(function*({ deep, processes, testMailTo }: DoctorOptions) {
  const { problems, settings } = yield* readSettings
  const ofDatabase = [...databaseChecks(processes), filesCheck(deep), keysCheck(deep), ledgerCheck, ...rowChecks]
  const results = Effect.gen(function*() {
    const around: ReadonlyArray<Result> = yield* examine(
      [
        ...machineChecks,
        ...configurationChecks,
        folderCheck,
        bucketCheck,
        mailCheck(testMailTo),
        googleCheck,
        ...veteranAppChecks,
        vaKeysCheck
      ],
      problems
    )
    return [...around, ...(yield* withDatabase(settings, problems, ofDatabase))]
  })
  const made: ReadonlyArray<Result> = [
    { check: "configuration", findings: problemsOfSettings(problems) },
    ...(yield* Effect.provideService(results, Settings, settings))
  ]
  const rules = retentionRules({
    INACTIVE_ITEM_DAYS: settings.inactiveItemDays,
    RELEASE_RETENTION_YEARS: settings.releaseRetentionYears,
    DISCLOSURE_RETENTION_YEARS: settings.disclosureRetentionYears
  })
  return { results: made, rules }
})

type DatabaseCheck = Check<Actors | Crypto | SessionConnections | Settings | SharedConnections>

const withDatabase = Effect.fnUntraced(function*(
  settings: Settings["Service"],
  problems: ReadonlyArray<string>,
  checks: ReadonlyArray<DatabaseCheck>
) {
  const { database: { caCertificateFile, runtimeUrl, sessionUrl }, production } = settings
  const skipped = (why: string): ReadonlyArray<Result> =>
    checks.map(({ name }) => ({ check: name, skipped: why, findings: [] }))
  if (runtimeUrl === undefined) {
    return skipped(
      production || problems.some((problem) => problem.includes("DATABASE"))
        ? "no database is configured"
        : "the database is the service's own, in .data/postgres"
    )
  }
  const ignored = ignoredMode(runtimeUrl)
  const mode = production && ignored !== undefined
    ? [warning(`${ignored}.`, "The service connects as if it were not there.", "Remove it, or write verify-full.")]
    : []
  const made = Effect.gen(function*() {
    const caCertificate = caCertificateFile === undefined ? undefined : yield* readCertificate(caCertificateFile)
    const pool = (url: Redacted.Redacted, maxConnections: number, prepare: boolean) =>
      runtimePool(connection(url, { production, caCertificate }), { maxConnections, multiplex: false, prepare })
    const connections = Layer.merge(
      Layer.effect(SharedConnections, pool(runtimeUrl, 3, sessionUrl === undefined)),
      Layer.effect(SessionConnections, pool(sessionUrl ?? runtimeUrl, 2, true))
    )
    const layer = Crypto.layer.pipe(
      Layer.merge(Actors.layer.pipe(Layer.provide(Layer.effect(SqlClient.SqlClient, SharedConnections)))),
      Layer.provideMerge(connections),
      Layer.provide(Reactivity.layer)
    )
    return yield* Effect.gen(function*() {
      yield* checkReachable(yield* SharedConnections, runtimeVariable)
      if (sessionUrl !== undefined) yield* checkReachable(yield* SessionConnections, sessionVariable)
      return [{ check: "database", findings: mode }, ...(yield* examine(checks, problems))]
    }).pipe(
      Effect.provide(layer),
      Effect.catchTag("SqlError", (cause) => Effect.fail(notConnected(runtimeVariable)(cause)))
    )
  })
  return yield* made.pipe(Effect.catch((failure) => {
    const finding = failure._tag === "ConnectionInvalid"
      ? refusal(failure.message, "Name the PEM file of the server's authority in it.")
      : connectionFinding(failure.message, failure.code ?? "")
    return Effect.succeed([
      { check: "database", findings: [finding, ...mode] },
      ...skipped("the database cannot be used")
    ])
  }))
})
