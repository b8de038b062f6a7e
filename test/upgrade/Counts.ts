import type pg from "pg"

/** Returns how many rows each table has. */
export const countsOf = async (superuser: pg.Client): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await superuser.query<{ table: string }>(
    `select format('%I.%I', schemaname, tablename) as table from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`
  )
  const counts: Record<string, number> = {}
  for (const { table } of rows) {
    counts[table] = Number((await superuser.query(`select count(*) from ${table}`)).rows[0].count)
  }
  return counts
}
