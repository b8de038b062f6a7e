import { Effect } from "effect"
import { call, giveGrant, signInVeteran } from "../test/support/Client.ts"
import { resource, sync } from "../test/support/Sync.ts"
import { expecting, open, timed } from "./Bench.ts"
import { benchmark, median } from "./Figure.ts"
import { openRecord } from "./view.ts"

/** The cost of a record view's proof row. The first view in a minute writes such a row, and the next view does not. */
export const proofRows = benchmark({
  rounds: 7,
  figures: {
    large: { name: "price of the proof row, view of 3,000", unit: "%", goal: { atMost: 3 } },
    small: { name: "price of the proof row, view of one item", unit: "%", goal: { atMost: 3 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const { path, providers: [provider] } = yield* Effect.promise(() => openRecord(service, 1))
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    yield* Effect.promise(async () => {
      await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
      await giveGrant(service, veteran, provider!)
    })
    const view = async (path: string, isFirst: boolean) => {
      await owner.query(
        `update acts_noted set minute = ${isFirst ? "minute - interval '1 minute'" : "date_trunc('minute', now())"}`
      )
      return timed(async () => expecting(200, await call(service, "GET", path, provider!)))
    }
    const price = async (path: string, pairs: number) => {
      const times: Array<{ readonly first: number; readonly next: number }> = []
      for (let pair = 0; pair < pairs; pair++) {
        if (pair % 50 === 0) await owner.query("delete from rate_limit_spendings")
        const next = pair % 2 === 0 ? await view(path, false) : undefined
        const first = await view(path, true)
        times.push({ first, next: next ?? await view(path, false) })
      }
      const next = median(times.map(({ next }) => next))
      // The two views of a pair are close in time, so other load affects both alike.
      const more = median(times.map(({ first, next }) => first - next))
      return { ours: 100 * more / next, detail: `${more.toFixed(2)} ms more than ${next.toFixed(2)}` }
    }
    return async () => ({
      large: await price(path, 60),
      small: await price(`/api/provider/patients/${veteran.id}/record`, 150)
    })
  })
})
