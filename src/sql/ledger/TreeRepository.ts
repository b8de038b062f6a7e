import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { all, one, option, value } from "../Rows.ts"

const TreeRow = Schema.Struct({ treeSize: Schema.Finite, rootHash: Schema.Uint8Array })

const TileRow = Schema.Struct({ level: Schema.Int, index: Schema.Finite, hashes: Schema.Uint8Array })

const CheckpointRow = Schema.Struct({ treeSize: Schema.Finite, note: Schema.String })

const SentCheckpointRow = Schema.Struct({ ...CheckpointRow.fields, createdAt: Schema.Date })

const UndrainedRow = Schema.Struct({
  veteranId: Schema.String,
  id: Schema.String,
  kind: Schema.String,
  at: Schema.NullOr(Schema.String),
  event: Schema.NullOr(Schema.String)
})

const HeldRow = Schema.Struct({ expected: Schema.Int, held: Schema.Int })

const WaitingRow = Schema.Struct({ seconds: Schema.Finite, setAside: Schema.Finite })

interface LeafRow {
  readonly veteranId: string
  readonly id: string
  readonly ciphertext: Uint8Array
  readonly hash: Uint8Array
  readonly provider: Uint8Array | null
  readonly subjects: Uint8Array
}

interface SetAsideRow {
  readonly veteranId: string
  readonly id: string
  readonly reason: string
}

const column = <Row>(rows: ReadonlyArray<Row>) => (oid: number, value: (row: Row) => unknown) =>
  Result.getOrThrow(PgTypes.array(rows.map(value), oid))

const { bytea, text, uuid } = PgTypes.OID

/** Sizes and indexes are read as doubles, which are exact up to 2^53. No tree grows to that size. */
export const make = (sql: SqlClient.SqlClient) => ({
  /** Takes the tree's lock until the transaction ends. Returns false if another transaction holds it. */
  tryLock: value(Schema.Boolean, sql`select app.try_lock_tree() as locked`),
  tree: one(TreeRow, sql`select tree_size::float8 as tree_size, root_hash from app.proof_tree()`),
  /** How many of the `count` leaves from `first` on the tree has, and how many rows hold one of them. */
  held: (first: number, count: number) =>
    one(HeldRow, sql`select expected, held from app.leaves_held(${first}::bigint, ${count}::int)`),
  /** Returns None if the tree is empty. */
  latestCheckpoint: option(
    CheckpointRow,
    sql`select tree_size::float8 as tree_size, note from proof_checkpoints order by tree_size desc, id desc limit 1`
  ),
  tiles: (names: ReadonlyArray<{ readonly level: number; readonly index: number }>) =>
    all(
      TileRow,
      sql`select level::int as level, index::float8 as index, hashes from proof_tiles
          join unnest(${names.map(({ level }) => level)}::smallint[], ${names.map(({ index }) => index)}::bigint[])
            as named (level, index) using (level, index)`
    ),
  undrained: (most: number) =>
    all(UndrainedRow, sql`select veteran_id, id, kind, at, event from app.undrained_proofs(${most}::int)`),
  waiting: one(WaitingRow, sql`select seconds, set_aside::float8 as set_aside from app.proofs_waiting()`),
  append: (rows: ReadonlyArray<LeafRow>) => {
    const array = column(rows)
    return one(
      TreeRow,
      sql`select tree_size::float8 as tree_size, root_hash from app.append_leaves(
            ${array(uuid, (row) => row.veteranId)}::uuid[], ${array(uuid, (row) => row.id)}::uuid[],
            ${array(bytea, (row) => row.ciphertext)}::bytea[], ${array(bytea, (row) => row.hash)}::bytea[],
            ${array(bytea, (row) => row.provider)}::bytea[],
            ${array(bytea, (row) => row.subjects)}::bytea[])`
    )
  },
  setAside: (rows: ReadonlyArray<SetAsideRow>) => {
    const array = column(rows)
    return all(
      Schema.Unknown,
      sql`select app.set_proofs_aside(${array(uuid, (row) => row.veteranId)}::uuid[],
            ${array(uuid, (row) => row.id)}::uuid[], ${array(text, (row) => row.reason)}::text[])`
    )
  },
  storeCheckpoint: (note: string, hasWitness: boolean) =>
    all(Schema.Unknown, sql`select app.store_checkpoint(${note}::text, ${hasWitness}::boolean)`),
  checkpoint: (id: string) =>
    option(
      SentCheckpointRow,
      sql`select tree_size::float8 as tree_size, note, created_at from proof_checkpoints where id = ${id}`
    )
})
