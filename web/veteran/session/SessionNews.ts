import { Schema } from "effect"
import { Ending } from "./Ending.ts"

/** Messages between the app's windows. They contain no token and no name. */
export const News = Schema.Union([
  Schema.Struct({ is: Schema.Literal("signedIn"), veteranId: Schema.String }),
  Schema.Struct({ is: Schema.Literal("locked"), ending: Ending }),
  /** `used` tells of a key or a touch, and `seen` that a window is visible. */
  Schema.Struct({ is: Schema.Literals(["forgotten", "used", "seen"]) })
])

export type News = typeof News.Type
