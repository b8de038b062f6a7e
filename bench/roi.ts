import { Effect } from "effect"
import { release } from "../test/http/release/Releases.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { type Bench, line, median, resources, syncBody } from "./Bench.ts"

const rounds = 5

const perRound = 40

/** Releases signed per second, one after another and four at a time, beside as many small writes. */
export const benchRoi = ({ service }: Bench) =>
  Effect.promise(async () => {
    const body = syncBody(resources(500))
    // A veteran signs one release at a time.
    const veterans = await Promise.all(Array.from({ length: 4 }, async () => {
      const { headers } = await signInVeteran(service)
      await call(service, "POST", "/api/veteran/me/health-record/sync", { headers, body })
      return headers
    }))
    const [headers] = veterans as [typeof veterans[number]]
    const sign = (fiber: number) =>
      call(service, "POST", "/api/veteran/me/roi", { headers: veterans[fiber]!, body: release() })
    const entry = () =>
      call(service, "POST", "/api/veteran/me/self-reported-entries", {
        headers,
        body: { category: "note", text: "as small as a write is" }
      })
    const figures = { alone: [] as Array<number>, four: [] as Array<number>, entry: [] as Array<number> }
    for (let round = 0; round < rounds + 1; round++) {
      const rates = {
        alone: await perSecond(sign, 1),
        four: await perSecond(sign, 4),
        entry: await perSecond(entry, 1)
      }
      if (round > 0) { for (const name of ["alone", "four", "entry"] as const) figures[name].push(rates[name]) }
    }
    const rate = (name: keyof typeof figures) => median(figures[name]).toFixed(0)
    const ratio = median(figures.alone.map((rate, n) => rate / figures.entry[n]!))
    const detail = `${rate("alone")}/s, four at a time ${rate("four")}/s, entries ${rate("entry")}/s`
    line("releases signed / self-reported entries", ratio, "none set", detail)
  })

const perSecond = async (
  work: (fiber: number) => Promise<{ readonly status: number; readonly text: string }>,
  fibers: number
) => {
  const started = performance.now()
  let left = perRound
  await Promise.all(Array.from({ length: fibers }, async (_, fiber) => {
    while (left-- > 0) {
      const answer = await work(fiber)
      if (answer.status !== 201) throw new Error(answer.text)
    }
  }))
  return perRound / ((performance.now() - started) / 1000)
}
