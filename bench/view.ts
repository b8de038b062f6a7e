import { Effect } from "effect"
import { call, giveGrant, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { type Bench, line, median, openFloor, resources, syncBody } from "./Bench.ts"
import { get, load } from "./load.ts"

const rounds = 5

/** A provider's view of a 3,000-resource record against the same bytes from a bare server. */
export const benchView = Effect.fnUntraced(function*({ service }: Bench) {
  const veteran = yield* Effect.promise(() => signInVeteran(service))
  const body = syncBody(resources(3000))
  yield* Effect.promise(() =>
    call(service, "POST", "/api/veteran/me/health-record/sync", { headers: veteran.headers, body })
  )
  // A provider may read 600 times a minute; many stand in for one.
  const providers = yield* Effect.promise(async () => {
    const all = []
    for (let n = 0; n < 12; n++) {
      const provider = await signInProvider(service)
      await giveGrant(service, veteran, provider)
      all.push(provider)
    }
    return all
  })
  const path = `/api/provider/patients/${veteran.id}/record`
  for (const query of ["", "?limit=200"]) {
    const answer = yield* Effect.promise(() => call(service, "GET", path + query, { headers: providers[0]!.headers }))
    const floorPort = yield* openFloor(Buffer.from(answer.text))
    const requests = providers.map(({ token }) => get(path + query, token))
    const servicePort = Number(new URL(service.url).port)
    const figures: Array<{ readonly ours: number; readonly floor: number }> = []
    for (let round = 0; round < rounds + 1; round++) {
      const at = { connections: 4, seconds: 1.5, request: (n: number) => requests[n % requests.length]! }
      const ours = yield* Effect.promise(() => load({ ...at, port: servicePort }))
      const floor = yield* Effect.promise(() => load({ ...at, port: floorPort }))
      if (round > 0) figures.push({ ours, floor })
    }
    const detail = `${
      median(figures.map(({ ours }) => ours)).toFixed(0)
    }/s, floor ${median(figures.map(({ floor }) => floor)).toFixed(0)}/s, ` +
      `${(answer.text.length / 1e6).toFixed(2)} MB`
    line(
      `view of a 3,000-resource record${query}`,
      median(figures.map(({ floor, ours }) =>
        ours / floor
      )),
      ">= 0.40",
      detail
    )
  }
})
