import type pg from "pg"

/**
 * Returns whether a session waits for a lock on this table. Tables in other tests' databases have the same oid, so the
 * query also compares the database.
 */
export const isAwaited = async (client: pg.Client, table: string) => {
  const { rows } = await client.query(
    `select from pg_locks l join pg_database d on d.oid = l.database
     where not granted and relation = $1::regclass and datname = current_database()`,
    [table]
  )
  return rows.length > 0
}
