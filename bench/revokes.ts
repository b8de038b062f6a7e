import { Effect } from "effect"
import { loseByRevoking, type Lost, noHaproxy, startProxy } from "../test/http/link/KeptAlive.ts"
import type { Bench } from "./Bench.ts"

const rounds = 2000

/** Requests that are lost when a document is viewed and its link revoked at once, directly and behind a proxy. */
export const benchRevokes = Effect.fnUntraced(function*({ owner, service }: Bench) {
  const tell = (where: string, lost: Lost) =>
    console.log(`${rounds} views, each then revoked, ${where}: requests lost ${JSON.stringify(lost)}`)
  tell("kept alive", yield* Effect.promise(() => loseByRevoking(service, owner, service.url, rounds)))
  if (noHaproxy) return
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() => startProxy(service)),
    ({ close }) => Effect.promise(close)
  )
  tell("through haproxy", yield* Effect.promise(() => loseByRevoking(service, owner, url, rounds)))
})
