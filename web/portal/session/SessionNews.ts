import { Schema } from "effect"

/** Messages between the portal's windows. They contain no token and no name. */
export const News = Schema.Union([
  Schema.Struct({ is: Schema.Literal("signedIn"), providerId: Schema.String }),
  Schema.Struct({ is: Schema.Literals(["signedOut", "leftIdle", "used"]) })
])

export type News = typeof News.Type
