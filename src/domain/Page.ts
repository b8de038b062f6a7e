import { Schema } from "effect"

const upTo = (maximum: number) => ({
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))),
  cursor: Schema.optional(Schema.String.check(Schema.isMaxLength(1024)))
})

/** Every list takes `?limit=` (1–200, default 50) and `?cursor=`. */
export const PageRequest = upTo(200)

/** A record has thousands of items, most of them small: a page may hold 1,000. */
export const RecordPageRequest = upTo(1000)

export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export const PageOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({ items: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })
