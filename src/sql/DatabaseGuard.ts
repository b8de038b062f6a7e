import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { schemaProblems } from "./SchemaFacts.ts"
import { sessionLimits } from "./Sessions.ts"

const protectedTables = [
  "documents",
  "email_changes",
  "endings_told",
  "health_record_counts",
  "health_record_items",
  "health_record_tombstones",
  "looks_untold",
  "proofs",
  "provider_notes",
  "record_looks",
  "self_reported_entries",
  "veteran_deletions",
  "veteran_identities",
  "veteran_notices",
  "veteran_pairings",
  "veteran_passkeys",
  "veteran_sessions"
]

const instead = "connect the runtime pool (DATABASE_APP_URL) as an ordinary role that owns no table"

/** Reads the runtime role's rights, including those of roles of which it is a member (by inheritance or SET ROLE). */
const roleOf = (sql: SqlClient.SqlClient) =>
  sql<{
    name: string
    database: string
    superuser: boolean
    bypasses: boolean
    createsroles: boolean
    createsdatabases: boolean
    replicates: boolean
    silences: boolean
    predefined: ReadonlyArray<string>
    temporary: boolean
    backup: boolean
    rotation: boolean
    member: boolean
    encrypted: boolean
  }>`
    with taken as (select * from pg_roles where pg_has_role(current_user, oid, 'member'))
    select r.rolname as name, current_database() as database, r.rolsuper as superuser,
           exists (select from taken where rolbypassrls) as bypasses,
           exists (select from taken where rolcreaterole) as createsroles,
           exists (select from taken where rolcreatedb) as createsdatabases,
           exists (select from taken where rolreplication) as replicates,
           exists (select from taken where has_parameter_privilege(oid, 'session_replication_role', 'set')) as silences,
           array(select rolname::text from taken where starts_with(rolname, 'pg_') order by 1) as predefined,
           exists (select from taken where has_database_privilege(oid, current_database(), 'temporary')) as temporary,
           exists (select from taken where rolname = 'vrss_backup') as backup,
           exists (select from taken where rolname = 'vrss_rotation') as rotation,
           coalesce((select pg_has_role(r.oid, g.oid, 'usage') from pg_roles g where g.rolname = 'vrss_runtime'), false)
             as member,
           coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted
    from pg_roles r where r.rolname = current_user`

const tablesOf = (sql: SqlClient.SqlClient) =>
  sql<{ name: string; forced: boolean; owned: boolean }>`
    select c.relname as name,
           c.relrowsecurity and c.relforcerowsecurity and not exists (
             select from pg_inherits i join pg_class part on part.oid = i.inhrelid
             where i.inhparent = c.oid and not (part.relrowsecurity and part.relforcerowsecurity)
           ) as forced,
           pg_has_role(current_user, c.relowner, 'member') as owned
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') order by c.relname`

/**
 * Every role may set defaults for its own sessions. These settings decide a session's role, how names resolve, which
 * rows it sees and which code it runs. The isolation level decides whether a statement after a lock sees what was
 * committed before the lock was taken.
 */
const decisive =
  /^(app\..*|default_transaction_isolation|role|row_security|search_path|session_replication_role|\w+_preload_libraries)$/

/** `traces` skips these settings: the doctor already reports their effect, wherever they are set. */
const reportedByDoctor = ["default_transaction_read_only", "synchronous_commit"]

/** Session defaults that the service did not set, each with the statement that removes the default. */
const defaultsOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ name: string; reset: string }>`
      select split_part(setting, '=', 1) as name, format('alter %s reset %s', case
          when d.setrole = 0 and d.setdatabase = 0 then 'role all'
          when d.setrole = 0 then format('database %I', current_database())
          when d.setdatabase = 0 then format('role %I', pg_get_userbyid(d.setrole))
          else format('role %I in database %I', pg_get_userbyid(d.setrole), current_database())
        end, split_part(setting, '=', 1)) as reset
      from pg_db_role_setting d, unnest(d.setconfig) setting
      where d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and d.setrole in (0, current_user::regrole, session_user::regrole)
      order by 1, 2`,
    (rows) => rows.filter(({ name }) => !(name in sessionLimits))
  )

/** Returns sentences on large objects and on session defaults that docs/operator.md does not name: traces of misuse. */
export const traces = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const defaults = (yield* defaultsOf(sql)).filter(({ name }) =>
    !decisive.test(name) && !reportedByDoctor.includes(name)
  )
  const [objects] = yield* sql<{ count: number; size: string }>`
    select count(*)::int as count, pg_size_pretty(pg_total_relation_size('pg_largeobject')) as size
    from pg_largeobject_metadata where pg_has_role(current_user, lomowner, 'member')`
  return [
    ...defaults.map(({ name, reset }) =>
      `Sessions of the service begin with a ${name} that docs/operator.md does not name: run '${reset}', unless you set it.`
    ),
    ...objects!.count === 0 ? [] : [
      `The runtime role has ${
        objects!.count
      } large objects, which the service never makes; all of this database take ` +
      `${objects!.size}: remove them with lo_unlink, and change the role's password.`
    ]
  ]
})

/** Returns a sentence for each reason why the database would not withstand a hostile runtime role. */
export const problems = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, production: boolean) {
  const found: Array<string> = []
  const role = (yield* roleOf(sql))[0]!
  const tables = yield* tablesOf(sql)
  const { bypasses, database, member, name, superuser } = role
  const refuseIf = (is: boolean, what: string, mend = instead) => {
    if (is) found.push(`The runtime role ${name} ${what}: ${mend}.`)
  }
  refuseIf(superuser, "is a superuser, for whom row-level security does not hold")
  refuseIf(!superuser && bypasses, "may bypass row-level security (BYPASSRLS)")
  // Outside production the runtime role may also be the owner, which created the roles and may create more.
  if (!superuser && (production || !tables.some(({ owned }) => owned))) {
    if (role.backup) found.push(`The runtime role ${name} is a member of vrss_backup, which reads every row.`)
    refuseIf(role.rotation, "is a member of vrss_rotation, which replaces sealed values")
    refuseIf(role.createsroles, "may create roles (CREATEROLE)")
    refuseIf(role.createsdatabases, "may create databases (CREATEDB)")
    refuseIf(role.replicates, "may replicate (REPLICATION)")
    refuseIf(role.silences, "may switch triggers off (SET on session_replication_role)")
    for (const predefined of role.predefined) refuseIf(true, `is a member of ${predefined}`)
    const revoke = `run 'revoke temporary on database ${database} from public, ${name}' as the database's owner`
    refuseIf(role.temporary, "may create temporary objects", revoke)
  }
  refuseIf(!member, "is no member of vrss_runtime", `run 'grant vrss_runtime to ${name}' as the owner`)
  if (production && !role.encrypted) found.push("The database connection is not encrypted.")

  for (const table of protectedTables) {
    const is = tables.find((one) => one.name === table)
    if (is === undefined) found.push(`The table ${table} is missing: apply the migrations.`)
    else if (!is.forced) found.push(`Row-level security is not enabled and forced on ${table}.`)
  }
  if (production) {
    for (const { name, reset } of (yield* defaultsOf(sql)).filter(({ name }) => decisive.test(name))) {
      found.push(`Sessions of the service begin with a ${name} that is not its own: run '${reset}'.`)
    }
  }
  // Outside production the runtime role may own the tables, because FORCE applies the policies to owners too.
  if (production) {
    for (const table of tables) refuseIf(table.owned, `owns the table ${table.name}`)
  }
  const migrated = protectedTables.every((table) => tables.some((one) => one.name === table))
  return production && member && migrated ? [...found, ...(yield* schemaProblems(sql))] : found
})
