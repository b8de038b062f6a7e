import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { appliedTable, migrationFolder, readMigrations } from "./MigrationFiles.ts"

/**
 * Facts of the catalog that decide access: policies, triggers, rules, views, functions, and the rights of the runtime
 * role, the backup and PUBLIC. `schema-facts.tsv` lists the facts that the migrations make: each line has an object
 * and its fact. `npx vitest run test/sql/SchemaFacts.test.ts -u` rewrites it.
 */
const file = new URL("./schema-facts.tsv", import.meta.url)

/** Reads only what every role may read. It names no owner, because owners differ between deployments. */
const query = (sql: SqlClient.SqlClient) =>
  sql<{ object: string; fact: string }>`
  with schemas as (
    select oid, nspname, nspowner, nspacl from pg_namespace where nspname in ('app', 'public')
  ), relations as (
    select c.oid, c.relowner, c.relacl, case when c.relispartition
        then format('each part of %s', (select inhparent::regclass from pg_inherits where inhrelid = c.oid))
        else c.oid::regclass::text end as name
    from pg_class c join schemas s on s.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
  ), functions as (
    select p.*, p.oid::regprocedure::text as name, s.nspowner
    from pg_proc p join schemas s on s.oid = p.pronamespace
    where (s.nspname = 'app' or p.prosecdef) and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    )
  ), rights as (
    select oid, 'schema ' || nspname as object, nspowner as owner, nspacl as acl from schemas
    union all select oid, 'table ' || name, relowner, relacl from relations
    union all select r.oid, format('column %s.%I', r.name, a.attname), r.relowner, a.attacl
      from relations r join pg_attribute a on a.attrelid = r.oid
    union all select oid, 'function ' || name, proowner, coalesce(proacl, acldefault('f', proowner)) from functions
  ), facts(object, fact) as (
    select format('policy %I on %s', p.polname, r.name), format('%s for %s to %s using (%s) with check (%s)',
        case when p.polpermissive then 'permissive' else 'restrictive' end, p.polcmd,
        array(select case one when 0 then 'PUBLIC' when r.relowner then 'the owner' else pg_get_userbyid(one) end from unnest(p.polroles) one order by 1),
        pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
      from pg_policy p join relations r on r.oid = p.polrelid
    -- Triggers of foreign keys have generated names, and those of a part follow the whole, so they are listed only if disabled.
    union all select format('trigger %I on %s', t.tgname, r.name),
        format('%s %s', t.tgenabled, replace(pg_get_triggerdef(t.oid), r.oid::regclass::text, r.name))
      from pg_trigger t join relations r on r.oid = t.tgrelid
      where not t.tgisinternal and t.tgparentid = 0 or t.tgenabled <> 'O'
    union all select format('rule %I on %s', w.rulename, r.name), format('%s %s', w.ev_enabled, pg_get_ruledef(w.oid))
      from pg_rewrite w join relations r on r.oid = w.ev_class
    union all select 'function ' || f.name, format('%s %s, owner %s, %s%s%s, sha256 %s', f.prokind, l.lanname,
        case when f.proowner = f.nspowner then 'of the schema' else 'another' end,
        case when f.prosecdef then 'security definer' else 'security invoker' end,
        case when f.proleakproof then ', leakproof' else '' end,
        coalesce(', set ' || array_to_string(f.proconfig, ', set '), ''),
        encode(sha256(convert_to(coalesce(pg_get_function_sqlbody(f.oid), f.prosrc), 'UTF8')), 'hex'))
      from functions f join pg_language l on l.oid = f.prolang
    union all select format('right of %s to the %s', case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee) end,
        r.object), string_agg(a.privilege_type || case when a.is_grantable then ' with grant option' else '' end, ', '
        order by a.privilege_type)
      from rights r, aclexplode(r.acl) a
      where a.grantee <> r.owner and (a.grantee = 0 or pg_get_userbyid(a.grantee) in ('vrss_backup', 'vrss_rotation', 'vrss_runtime')
        or pg_has_role(current_user, a.grantee, 'member'))
      group by a.grantee, r.oid, r.object
  )
  select object, regexp_replace(fact, '[[:space:]]+', ' ', 'g')
      || case when object ~ ' each part of ' then format(', %s parts', count(*)) else '' end as fact
  from facts group by object, fact`

/** Returns the facts as lines. Their names are qualified, because the search path contains only `pg_catalog`. */
export const schemaFacts = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const rows = yield* sql.withTransaction(Effect.andThen(
    sql`select set_config('search_path', 'pg_catalog', true)`,
    query(sql)
  ))
  return rows.map(({ fact, object }) => `${object}\t${fact}`).sort()
})

const byObject = (lines: ReadonlyArray<string>) =>
  new Map(lines.map((line) => line.split("\t", 2) as [object: string, fact: string]))

/** Returns a sentence for each difference between the schema and what the migrations make. */
export const schemaProblems = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const files = new Set((yield* readMigrations(migrationFolder)).map(({ name }) => name))
  const rows = yield* sql<{ name: string }>`select name from ${sql.literal(appliedTable)} order by name`
  const applied = new Set(rows.map(({ name }) => name))
  const pending = [...files.difference(applied)]
  if (pending.length > 0) return pending.map((name) => `The migration ${name} is not applied: apply the migrations.`)
  // During a rollout or rollback, this release must start on a newer release's schema, whose facts it does not know.
  const newer = [...applied.difference(files)]
  if (newer.length > 0) {
    yield* Effect.logWarning(`database schema: not compared, because a newer release applied ${newer.join(", ")}`)
    return []
  }
  const expected = byObject(readFileSync(file, "utf8").trimEnd().split("\n"))
  const found = byObject(yield* schemaFacts(sql))
  return [...new Set([...expected.keys(), ...found.keys()])].filter((object) =>
    expected.get(object) !== found.get(object)
  ).map((object) => {
    const what = !found.has(object) ? "missing" : expected.has(object) ? "changed" : "added"
    return `The schema is not what the migrations make: the ${object} is ${what}.`
  })
})
