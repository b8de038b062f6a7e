import { Option, Schema } from "effect"

/** Connects this window with the site's other windows. Messages of another form, of an older page, are ignored. */
export const openNews = <A>(form: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownOption(form)
  const channel = new BroadcastChannel("vrss-session")
  return {
    tell: (news: A) => channel.postMessage(news),
    hear: (listener: (news: A) => void) =>
      channel.addEventListener("message", ({ data }) => Option.map(decode(data), listener)),
    close: () => channel.close()
  }
}
