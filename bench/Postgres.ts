import type pg from "pg"
import { parentOf } from "./Bench.ts"

/** The process that is the parent of all of PostgreSQL's. */
export const postmasterOf = async (owner: pg.Client) => {
  const { rows: [{ pid }] } = await owner.query("select pg_backend_pid() as pid")
  return parentOf(pid)
}

export const walOf = async (owner: pg.Client) =>
  Number((await owner.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes")).rows[0].bytes)

/** Bytes of a table, over its parts, and how many values are stored outside of its rows. */
export const sizesOf = async (owner: pg.Client, table: string) => {
  const { rows } = await owner.query(
    `select c.reltoastrelid::regclass::text as outside, pg_relation_size(c.oid)::float as heap, pg_indexes_size(c.oid)::float as indexes,
       pg_total_relation_size(c.reltoastrelid)::float as toast
     from pg_partition_tree($1::regclass) t join pg_class c on c.oid = t.relid where t.isleaf`,
    [table]
  )
  const sum = (of: "heap" | "indexes" | "toast") => rows.reduce((sum, row) => sum + row[of], 0) as number
  let toastValues = 0
  for (const { outside } of rows) {
    const { rows: [{ count }] } = await owner.query(`select count(distinct chunk_id) from ${outside}`)
    toastValues += Number(count)
  }
  return { heap: sum("heap"), indexes: sum("indexes"), toast: sum("toast"), toastValues }
}

/** The share of its rows that must be dead before autovacuum comes to a part of a table. */
export const vacuumScaleOf = async (owner: pg.Client, table: string): Promise<number> => {
  const { rows: [{ scale }] } = await owner.query(
    `select max(coalesce(
       (select option_value from pg_options_to_table(reloptions) where option_name = 'autovacuum_vacuum_scale_factor'),
       current_setting('autovacuum_vacuum_scale_factor')
     )::float) as scale from pg_partition_tree($1::regclass) t join pg_class c on c.oid = t.relid where t.isleaf`,
    [table]
  )
  return scale
}
