import { Schema, SchemaAST } from "effect"

export const pageLimit = { minimum: 1, maximum: 200, default: 50 }

const upTo = (maximum: number) => ({
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ ...pageLimit, maximum }))),
  cursor: Schema.optional(
    Schema.String.annotate({ description: "`nextCursor` of the page before" }).check(Schema.isMaxLength(1024))
  )
})

/** Every list takes `?limit=` (1–200, default 50) and `?cursor=`. */
export const PageRequest = upTo(pageLimit.maximum)

/** Maximum number of items in a page of a record. A record has thousands of items, most of them small. */
export const recordPageMaximum = 1000

/** A page ends at about this number of bytes, even if it has fewer items than its `limit` (contract, part 1). */
export const pageBytes = 4_000_000

export const RecordPageRequest = upTo(recordPageMaximum)

export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export const PageOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({
    items: Schema.Array(item),
    nextCursor: Schema.NullOr(Schema.String).annotate({ description: "Null on the last page" })
  }).annotate({ identifier: `${SchemaAST.resolveIdentifier(item.ast)}Page` })
