import { Schema } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

const LeafRow = Schema.Struct({
  /** Null if the event has no leaf in the tree yet. */
  treeIndex: Schema.NullOr(Schema.Finite),
  /** Null if the event has no leaf yet, or was erased. An erased event keeps its `treeIndex`. */
  leafCiphertext: Schema.NullOr(Schema.Uint8Array),
  leafHash: Schema.NullOr(Schema.Uint8Array),
  isSetAside: Schema.Boolean
})

export const findLeaf = (veteranId: VeteranId, id: string) =>
  asActor.option(
    LeafRow,
    (sql) =>
      sql`select tree_index::float8 as tree_index, leaf_ciphertext, leaf_hash, set_aside is not null as is_set_aside
        from proofs where veteran_id = ${veteranId} and id = ${id}`
  )

const ListedLeafRow = Schema.Struct({
  id: Schema.String,
  treeIndex: Schema.Finite,
  leafCiphertext: Schema.Uint8Array,
  leafHash: Schema.Uint8Array
})

export type ListedLeafRow = typeof ListedLeafRow.Type

/** The veteran's leaves in the tree that were not erased, newest first. */
export const listLeaves = ({ after, limit, veteranId }: PageQuery & { readonly veteranId: VeteranId }) =>
  asActor.all(
    ListedLeafRow,
    (sql) =>
      sql`select id, tree_index::float8 as tree_index, leaf_ciphertext, leaf_hash from proofs
        where veteran_id = ${veteranId} and tree_index is not null and leaf_ciphertext is not null
          and (${after ?? null}::uuid is null or id < ${after ?? null})
        order by id desc limit ${limit}`
  )

/** How many of the veteran's events are no leaves yet. */
export const countWithoutLeaf = (veteranId: VeteranId) =>
  asActor.one(
    Schema.Struct({ events: Schema.Finite }),
    (sql) => sql`select count(*)::float8 as events from proofs where veteran_id = ${veteranId} and tree_index is null`
  )
