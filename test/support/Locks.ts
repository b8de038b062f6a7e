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

/**
 * Returns how many turns to sign the veteran's requests hold: that of the release being made, and the next one. Other
 * locks come and go in the same database: of sweeps, and of limits.
 */
export const turnsOf = async (client: pg.Client, veteranId: string) => {
  const turn = `release ${veteranId}`
  const { rows } = await client.query(
    `select from pg_locks l join pg_database d on d.oid = l.database
     where locktype = 'advisory' and objsubid = 1 and datname = current_database()
       and (classid::int8 << 32 | objid::int8) in (hashtextextended($1, 0), hashtextextended($2, 0))`,
    [turn, `${turn}, next`]
  )
  return rows.length
}
