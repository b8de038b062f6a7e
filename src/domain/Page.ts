import { Schema, SchemaAST } from "effect"

export const pageLimit = { minimum: 1, maximum: 200, default: 50 }

/** `?limit=` and `?cursor=` of every list. */
export const PageRequest = {
  limit: Schema.optional(Schema.Int.check(Schema.isBetween(pageLimit))),
  cursor: Schema.optional(
    Schema.String.annotate({ description: "`nextCursor` of the page before" }).check(Schema.isMaxLength(1024))
  )
}

export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** A page is named after its items. */
export const PageOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({
    items: Schema.Array(item),
    nextCursor: Schema.NullOr(Schema.String).annotate({ description: "Null on the last page" })
  }).annotate({ identifier: `${SchemaAST.resolveIdentifier(item.ast)}Page` })
