import { Schema } from "effect"

const isPlain = (value: Schema.Json): boolean =>
  typeof value !== "object" || value === null ||
  Object.entries(value).every(([name, member]) => !name.includes("\\") && isPlain(member))

/**
 * Any JSON value in which no member's name has a backslash. After V8 has parsed a name that ends in a backslash,
 * `JSON.parse` may read an escaped name as this one (https://github.com/nodejs/node/issues/63785).
 */
export const PlainJson = Schema.Json.check(Schema.makeFilter(isPlain))
