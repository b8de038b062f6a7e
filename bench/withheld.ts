import { Effect } from "effect"
import { call, giveGrant, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { resource, sync } from "../test/support/Sync.ts"
import { type Bench, median } from "./Bench.ts"

const pairs = 120

const shown = ["a", "g", "m", "s", "z"]

/**
 * Two veterans differ only in how many items a grant withholds: who looks at them in turns should not find one slower. A
 * coin would call 60 of 120 pairs slower, and between 49 and 71 in 19 of 20 runs.
 */
export const benchWithheld = ({ service }: Bench) =>
  Effect.promise(async () => {
    for (const withheld of [50, 500, 5000]) {
      const provider = await signInProvider(service)
      const twin = async (count: number) => {
        const veteran = await signInVeteran(service)
        await giveGrant(service, veteran, provider)
        const hidden = Array.from(
          { length: count },
          (_, n) => resource("Observation", `${"abcdefghijklmnopqrstuvwxyz"[n % 26]}-${n}`, { categories: ["hiv"] })
        )
        const texts = [...hidden, ...shown.map((id) => resource("Observation", id))]
        await sync(service, veteran, { Observation: "complete" }, { Observation: texts })
        return veteran
      }
      const [one, other] = [await twin(withheld), await twin(0)]
      for (const [what, query] of [["record", ""], ["one type", "?resourceType=Observation&limit=3"]] as const) {
        const time = async ({ id }: { readonly id: string }) => {
          const started = performance.now()
          const path = `/api/provider/patients/${id}/record${query}`
          const { status, text } = await call(service, "GET", path, { headers: provider.headers })
          if (status !== 200) throw new Error(text)
          return performance.now() - started
        }
        for (let warm = 0; warm < 10; warm++) for (const veteran of [one, other]) await time(veteran)
        const times = []
        for (let pair = 0; pair < pairs; pair++) {
          const first = pair % 2 === 0 ? await time(one) : undefined
          const without = await time(other)
          times.push({ without, with: first ?? await time(one) })
        }
        const slower = times.filter((pair) => pair.with > pair.without).length
        console.log(
          `${`${what}, ${withheld} items withheld, or none`.padEnd(44)} ${
            median(times.map((pair) => pair.with)).toFixed(2)
          } / ${median(times.map(({ without }) => without)).toFixed(2)} ms   slower in ${slower} of ${pairs} pairs`
        )
      }
    }
  })
