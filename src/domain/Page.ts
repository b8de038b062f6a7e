import { Schema } from "effect"

/** `?limit=` (1–200, default 50) and `?cursor=` of every list. */
export const PageRequest = {
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))),
  cursor: Schema.optional(Schema.String.check(Schema.isMaxLength(1024)))
}

export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export const PageOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({ items: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })
