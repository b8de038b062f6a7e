import { Option, Schema } from "effect"

/** What the portal's windows tell each other: no token, no name. */
const News = Schema.Union([
  Schema.Struct({ is: Schema.Literal("signedIn"), providerId: Schema.String }),
  Schema.Struct({ is: Schema.Literals(["signedOut", "leftIdle", "used"]) })
])

export type News = typeof News.Type

const channel = new BroadcastChannel("vrss-session")

const decode = Schema.decodeUnknownOption(News)

export const tellWindows = (news: News) => channel.postMessage(news)

export const hearWindows = (hear: (news: News) => void) =>
  channel.addEventListener("message", ({ data }) => Option.match(decode(data), { onNone: () => {}, onSome: hear }))
