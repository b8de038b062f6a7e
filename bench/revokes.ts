import { Effect } from "effect"
import { loseByRevoking, noHaproxy, startProxy } from "../test/http/link/KeptAlive.ts"
import { closed, open } from "./Bench.ts"
import { benchmark } from "./Figure.ts"

const times = 2000

const figure = (where: string) => ({
  name: `requests lost in 2,000 views, each then revoked, ${where}`,
  unit: "lost",
  goal: { atMost: 0 }
})

/**
 * Views documents, directly and through a proxy, and revokes each document's link right after the view. Counts the
 * requests that do not get the expected answer.
 */
export const revokes = benchmark({
  rounds: 1,
  isCold: true,
  figures: { direct: figure("kept alive"), proxied: figure("through haproxy") },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const proxy = noHaproxy ? undefined : yield* closed(startProxy(service))
    const lost = async (url: string) => {
      const kinds = await loseByRevoking(service, owner, url, times)
      const ours = Object.values(kinds).reduce((sum, count) => sum + count, 0)
      return { ours, ...ours > 0 && { detail: JSON.stringify(kinds) } }
    }
    return async () => ({
      direct: await lost(service.url),
      proxied: proxy === undefined ? new Error("haproxy is not installed") : await lost(proxy.url)
    })
  })
})
