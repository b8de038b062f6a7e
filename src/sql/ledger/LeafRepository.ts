import { Schema } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import { asActor } from "../Rows.ts"

const LeafRow = Schema.Struct({
  /** Null: the event is no leaf yet. */
  treeIndex: Schema.NullOr(Schema.Finite),
  /** Null beside an index: the event was forgotten. */
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
