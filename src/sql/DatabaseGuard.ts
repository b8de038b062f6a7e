import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

const protectedTables = ["documents", "health_record_items", "provider_notes", "self_reported_entries"]

/** Tells why row-level security would not hold for this connection, a sentence for each reason; none when it does. */
export const problems = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, production: boolean) {
  const found: Array<string> = []
  const [role] = yield* sql<
    { name: string; superuser: boolean; bypasses: boolean; backup: boolean; member: boolean; encrypted: boolean }
  >`
    select r.rolname as name, r.rolsuper as superuser,
           exists (select from pg_roles b where b.rolbypassrls and pg_has_role(r.oid, b.oid, 'member')) as bypasses,
           coalesce((select pg_has_role(r.oid, g.oid, 'member') from pg_roles g where g.rolname = 'vrss_backup'), false)
             as backup,
           coalesce((select pg_has_role(r.oid, g.oid, 'usage') from pg_roles g where g.rolname = 'vrss_runtime'), false)
             as member,
           coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted
    from pg_roles r where r.rolname = current_user`
  const tables = yield* sql<{ name: string; forced: boolean; owned: boolean }>`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
           pg_has_role(current_user, c.relowner, 'member') as owned
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname = any (${protectedTables})`
  const owner = tables.some(({ owned }) => owned)
  const { backup, bypasses, encrypted, member, name, superuser } = role!
  const instead = "connect the runtime pool (DATABASE_APP_URL) as an ordinary role that owns no table"
  if (superuser) {
    found.push(`The runtime role ${name} is a superuser, for whom row-level security does not hold: ${instead}.`)
  }
  if (!superuser && bypasses) {
    found.push(`The runtime role ${name} may bypass row-level security (BYPASSRLS): ${instead}.`)
  }
  // The backup's policies show every row, to members too. The owner made that role, and is one in name.
  if (!superuser && backup && (production || !owner)) {
    found.push(`The runtime role ${name} is a member of vrss_backup, which reads every row.`)
  }
  if (!member) {
    found.push(
      `The runtime role ${name} is no member of vrss_runtime: run 'grant vrss_runtime to ${name}' as the owner.`
    )
  }
  if (production && !encrypted) found.push("The database connection is not encrypted.")

  for (const table of protectedTables) {
    const is = tables.find(({ name }) => name === table)
    if (is === undefined) found.push(`The table ${table} is missing: apply the migrations.`)
    else if (!is.forced) found.push(`Row-level security is not enabled and forced on ${table}.`)
    // Outside production one role may be both: FORCE makes its policies hold for the owner too.
    else if (production && is.owned) {
      found.push(`The runtime role ${name} owns the table ${table}: ${instead}.`)
    }
  }
  return found
})
