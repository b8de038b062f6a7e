import { Option, Schema } from "effect"

/** Messages between the portal's windows. They contain no token and no name. */
const News = Schema.Union([
  Schema.Struct({ is: Schema.Literal("signedIn"), providerId: Schema.String }),
  Schema.Struct({ is: Schema.Literals(["signedOut", "leftIdle", "used"]) })
])

export type News = typeof News.Type

const decode = Schema.decodeUnknownOption(News)

/** Connects this window with the portal's other windows. */
export const openNews = () => {
  const channel = new BroadcastChannel("vrss-session")
  return {
    tell: (news: News) => channel.postMessage(news),
    hear: (listener: (news: News) => void) =>
      channel.addEventListener("message", ({ data }) => Option.map(decode(data), listener))
  }
}
