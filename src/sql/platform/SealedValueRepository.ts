import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Result } from "effect"
import type { SqlClient } from "effect/sql"

/** A column of sealed values. The columns `row` identify a row of the table among the rows of one veteran. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly row: ReadonlyArray<string>
}

/** A row's key: its veteran, and a value for each column of `row`. */
export type RowKey = ReadonlyArray<string>

interface Stored {
  readonly key: RowKey
  /** The value's length and first bytes, which hold its format, key id and nonce; null if nothing is stored. */
  readonly bytes: number | null
  readonly head: Uint8Array | null
}

interface Replacement {
  readonly key: RowKey
  /** First bytes of the value to replace. They include its nonce, so no other value begins with them. */
  readonly head: Uint8Array
  readonly value: Uint8Array
}

const textArray = (values: ReadonlyArray<string>) => Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))

const byteaArray = (values: ReadonlyArray<Uint8Array>) => Result.getOrThrow(PgTypes.array(values, PgTypes.OID.bytea))

/** Reads and replaces the values of one column, in the order of the table's key, as a member of `vrss_rotation`. */
export const openColumn = Effect.fnUntraced(
  function*(sql: SqlClient.SqlClient, { column, row, table }: SealedColumn, headLength: number) {
    const names = ["veteran_id", ...row]
    const found = yield* sql<{ name: string; type: string; rows: number }>`
      select attname as name, format_type(atttypid, null) as type,
             (select sum(greatest(reltuples, 0)) from pg_class c left join pg_inherits i on i.inhrelid = c.oid
              where attrelid in (c.oid, i.inhparent))::float8 as rows
      from pg_attribute where attrelid = ${table}::regclass and not attisdropped`
    const types = names.map((name) => found.find((attribute) => attribute.name === name)!.type)
    const list = (each: (name: string, index: number) => string, joint = ", ") =>
      sql.literal(names.map(each).join(joint))
    const [from, value] = [sql.literal(`${table} t`), sql.literal(`t.${column}`)]
    const key = sql`array[${list((name) => `t.${name}::text`)}] as key`
    const isNamed = list((name, index) => `t.${name} = n.k${index}`, " and ")
    const given = (keys: ReadonlyArray<RowKey>) =>
      names.map((_, index) =>
        sql`${textArray(keys.map((one) => one[index]!))}::text[]::${sql.literal(types[index]!)}[]`
      ).reduce((before, next) => sql`${before}, ${next}`)
    const columns = list((_, index) => `k${index}`)

    return {
      rows: found[0]!.rows,
      /** Returns up to `limit` rows after the given key. Without a key, it begins at the first row. */
      page: (after: RowKey | undefined, limit: number) =>
        sql<Stored>`
        select ${key}, octet_length(${value}) as bytes, substr(${value}, 1, ${headLength}) as head
        from ${from}
        ${
          after === undefined ?
            sql.literal("") :
            sql`where (${list((name) => `t.${name}`)}) > (select ${
              list((_, index) => `(a.after)[${index + 1}]::${types[index]!}`)
            } from (select ${textArray(after)}::text[] as after) a)`
        }
        order by ${list((name) => `t.${name}`)} limit ${limit}`,
      values: (keys: ReadonlyArray<RowKey>) =>
        sql<{ key: RowKey; value: Uint8Array }>`
        select ${key}, ${value} as value from unnest(${given(keys)}) as n (${columns})
          join ${from} on ${isNamed}
        where ${value} is not null`,
      /** Replaces the values that are still unchanged, skipping locked rows, and returns the rows written. */
      replace: (replacements: ReadonlyArray<Replacement>) =>
        sql<{ key: RowKey }>`
        with n as (
          select * from unnest(${given(replacements.map((one) => one.key))},
            ${byteaArray(replacements.map(({ head }) => head))}::bytea[],
            ${byteaArray(replacements.map(({ value }) => value))}::bytea[]) as n (${columns}, head, value)
        ), free as materialized (
          select ${list((name, index) => `t.${name} as k${index}`)} from n join ${from} on ${isNamed}
          for no key update of t skip locked
        )
        update ${from} set ${sql.literal(column)} = n.value from free join n using (${columns})
        where ${list((name, index) => `t.${name} = free.k${index}`, " and ")}
          and substr(${value}, 1, octet_length(n.head)) = n.head
        returning ${key}`,
      /** Counts the values under each key id. Values with an invalid key id are counted under the empty id. */
      count: sql<{ keyId: string; values: number }>`
        select case when id ~ '^[A-Za-z0-9_-]{1,32}$' then id else '' end as key_id, count(*)::float8 as values
        from (
          select case when octet_length(head) > 2 then encode(substr(head, 3, get_byte(head, 1)), 'escape') end as id
          from (select substr(${value}, 1, ${headLength}) as head from ${from} where ${value} is not null offset 0) heads
        ) ids
        group by 1 order by 1`
    }
  }
)

/** Progress of a rotation to one key: the last row visited in each column. */
export const positions = (sql: SqlClient.SqlClient, keyId: string) => ({
  load: Effect.map(
    sql<{ columnName: string; upTo: RowKey }>`select column_name, up_to from key_rotations where key_id = ${keyId}`,
    (rows) => new Map(rows.map(({ columnName, upTo }) => [columnName, upTo]))
  ),
  save: (columnName: string, upTo: RowKey) =>
    sql`insert into key_rotations (key_id, column_name, up_to) values (${keyId}, ${columnName}, ${
      textArray(upTo)
    }::text[])
        on conflict (key_id, column_name) do update set up_to = excluded.up_to`,
  /** Deletes the progress of rotations to other keys, which have ended. With `all`, deletes this rotation's as well. */
  forget: (all: boolean) => sql`delete from key_rotations where ${all} or key_id <> ${keyId}`
})
