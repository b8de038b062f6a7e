import { Schema } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
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
