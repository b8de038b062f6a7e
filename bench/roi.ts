import { Effect } from "effect"
import { sign } from "../test/http/release/Releases.ts"
import { signInVeteran } from "../test/support/Client.ts"
import { expecting, open, processorTime, resources, syncBody, timed, timedSync } from "./Bench.ts"
import { benchmark, median } from "./Figure.ts"

const perRound = 20

/** The time to sign a release that contains only the authorization, and a release with a record of 500 resources. */
export const roi = benchmark({
  rounds: 7,
  figures: {
    authorization: { name: "release of an authorization alone", unit: "ms", goal: { atMost: 18 } },
    processor: { name: "the same, processor time", unit: "ms" },
    record: { name: "release with a record of 500", unit: "ms" }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const [bare, rich] = yield* Effect.promise(() => Promise.all([signInVeteran(service), signInVeteran(service)]))
    yield* Effect.promise(() => timedSync(service, rich, syncBody(resources(500))))
    const signing = async (veteran: typeof rich) => {
      const times = []
      for (let n = 0; n < perRound; n++) {
        times.push(await timed(async () => expecting(201, await sign(service, veteran))))
      }
      return median(times)
    }
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const used = processorTime(service.process.pid!)
      const authorization = await signing(bare)
      const processor = (processorTime(service.process.pid!) - used) / 1000 / perRound
      return {
        authorization: { ours: authorization },
        processor: { ours: processor },
        record: { ours: await signing(rich) }
      }
    }
  })
})
