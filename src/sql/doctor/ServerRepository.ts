import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { webhookKinds } from "../mail/OutboxRepository.ts"
import { appliedTable } from "../MigrationFiles.ts"
import { all, one } from "../Rows.ts"

const ServerRow = Schema.Struct({
  version: Schema.Int,
  encoding: Schema.String,
  standby: Schema.Boolean,
  readOnly: Schema.Boolean,
  off: Schema.Array(Schema.String),
  /** Maximum numbers of connections. The first is for all ordinary roles together. In the others, -1 means no limit. */
  connections: Schema.Int,
  databaseConnections: Schema.Int,
  roleConnections: Schema.Int
})

const ClockRow = Schema.Struct({ now: Schema.Date })

const AppliedRow = Schema.Struct({ name: Schema.String, sha256: Schema.String })

const NobodyRow = Schema.Struct({ tableName: Schema.String, rows: Schema.Finite })

const FoundRow = Schema.Struct({ found: Schema.Boolean })

const OutboxRow = Schema.Struct({ waiting: Schema.Int, late: Schema.Int })

/** Whether the function of this signature is there, as `app.proof_tree()`. */
export const hasFunction = (sql: SqlClient.SqlClient, signature: string) =>
  one(FoundRow, sql`select to_regprocedure(${signature}) is not null as found`)

/** Tables with rows whose veteran is not there. */
export const rowsOfNobody = (sql: SqlClient.SqlClient) =>
  all(NobodyRow, sql`select table_name, rows::float8 as rows from app.rows_of_nobody()`)

/** How many veterans should have been forgotten an hour ago. */
export const lateDeletions = (sql: SqlClient.SqlClient) =>
  one(Schema.Struct({ late: Schema.Int }), sql`select app.late_deletions() as late`)

/** Tables, and parts of them, whose rows a backup would leave out without a word: the role that makes it sees none. */
export const missedByBackup = (sql: SqlClient.SqlClient) =>
  all(
    Schema.Struct({ name: Schema.String }),
    sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'app') and c.relkind in ('r', 'p') and to_regrole('vrss_backup') is not null
      and not (has_table_privilege('vrss_backup', c.oid, 'select') and (not c.relrowsecurity or exists (
        select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
          and to_regrole('vrss_backup') = any (p.polroles) and pg_get_expr(p.polqual, p.polrelid) = 'true'
      )))
    order by 1`
  )

export const make = (sql: SqlClient.SqlClient) => ({
  server: one(
    ServerRow,
    sql`
    select current_setting('server_version_num')::int / 10000 as version,
           (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
           pg_is_in_recovery() as standby,
           current_setting('default_transaction_read_only')::boolean as read_only,
           array(select name from pg_settings where setting = 'off'
             and name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name) as off,
           (select sum(case name when 'max_connections' then setting::int else -setting::int end) from pg_settings
             where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections'))::int
             as connections,
           (select datconnlimit from pg_database where datname = current_database()) as database_connections,
           (select rolconnlimit from pg_roles where rolname = current_user) as role_connections`
  ),
  clock: one(ClockRow, sql`select clock_timestamp() as now`),
  migrated: one(FoundRow, sql`select to_regclass(${appliedTable}) is not null as found`),
  applied: all(AppliedRow, sql`select name, sha256 from ${sql.literal(appliedTable)} order by name`),
  outbox: one(
    OutboxRow,
    sql`select count(*)::int as waiting,
               count(*) filter (where created_at < clock_timestamp() - interval '1 hour' and held_at is null)::int as late
        from outbox where kind <> all (${webhookKinds}::text[])`
  )
})
