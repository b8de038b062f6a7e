import { Effect } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as ServerRepository from "../../sql/doctor/ServerRepository.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { missingRows } from "../ledger/HeldLeaves.ts"
import { check, error, errorIf, warningIf } from "./Finding.ts"

const needs = ["DATABASE_APP_URL", "DATABASE_URL", "DATABASE_CA_CERT"] as const

/** A database of an earlier release has no such functions. */
const whenThere = <A, E, R>(name: string, run: Effect.Effect<ReadonlyArray<A>, E, R>) =>
  Effect.gen(function*() {
    const { found } = yield* ServerRepository.hasFunction(yield* SharedConnections, name)
    return found ? yield* run : []
  })

const nobody = Effect.gen(function*() {
  const tables = yield* ServerRepository.rowsOfNobody(yield* SharedConnections)
  return tables.map(({ rows, tableName }) =>
    error(
      `${tableName} has ${rows} ${rows === 1 ? "row" : "rows"} of veterans who are not there.`,
      "Somebody removed a veteran past the service, and health data may be left that nobody can find or delete.",
      `docs/operator.md, "Rows of nobody", says how to look at them and remove them.`
    )
  )
})

const overdue = Effect.gen(function*() {
  const { late } = yield* ServerRepository.lateDeletions(yield* SharedConnections)
  return warningIf(
    late > 0,
    `${late} ${late === 1 ? "deletion is" : "deletions are"} more than an hour late.`,
    "Veterans were told that their records are deleted by now.",
    "See whether the service runs, and its log for lines with the words: deletion of."
  )
})

const account = Effect.gen(function*() {
  const missing = yield* missingRows(TreeRepository.make(yield* SharedConnections))
  return errorIf(
    missing !== 0,
    `${missing} leaves of the tree of disclosures have no row.`,
    "Rows of the account were removed: their veterans no longer see these events, and cannot prove them.",
    "Restore the table proofs from a backup that has them. The hashes in proof_tiles show which are missing: it is evidence."
  )
})

const backup = Effect.gen(function*() {
  const missed = yield* ServerRepository.missedByBackup(yield* SharedConnections)
  return errorIf(
    missed.length > 0,
    `A backup would leave out ${missed.length} ${missed.length === 1 ? "table" : "tables"}: ${
      missed.slice(0, 3).map(({ name }) => name).join(", ")
    }${missed.length > 3 ? " and others" : ""}.`,
    "The role vrss_backup reads no rows there, and pg_dump reports nothing.",
    "Apply the migrations again to a new database, or give the role its right and policy as the migrations do."
  )
})

export const rowChecks = [
  check("rows in a backup", needs, backup),
  check("rows of nobody", needs, whenThere("app.rows_of_nobody()", nobody)),
  check("deletions", needs, whenThere("app.late_deletions()", overdue)),
  check("rows of the account", needs, whenThere("app.leaves_held(bigint,integer)", account))
]
