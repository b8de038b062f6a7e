import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { connectApp, fhir, oauthSecret } from "../test/http/fhir/Apps.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { expecting, residentSet, syncBody, timed, timedSync, watched } from "./Bench.ts"
import { alone, benchmark, type Figure } from "./Figure.ts"
import { openHeld } from "./loop.ts"

const count = 20_000

/** Searches of a type with 20,000 items. All but the last two open each item of the type. */
const searches = {
  sorted: "Observation?_sort=-date&_count=100",
  filtered: "Observation?_sort=date&status=final&date=ge2001&_count=100",
  counted: "Observation?status=amended&_count=0",
  about: "Observation?_revinclude=Provenance:target&_count=1000",
  including: "MedicationRequest?_include=MedicationRequest:medication&_count=1000"
}

type Search = keyof typeof searches

const held = Object.fromEntries(
  Object.entries(searches).map(([key, path]) => [
    key,
    { name: `event loop held: GET ${path}, of 20,000`, unit: "ms", goal: { atMost: 20 } }
  ])
) as Record<Search, Figure>

const item = (resourceType: string, id: string, members: object) => JSON.stringify({ resourceType, id, ...members })

const texts = (): ReadonlyArray<readonly [type: string, make: (n: number) => string]> => {
  const note = [{ text: "x".repeat(800) }]
  const dated = (n: number) => new Date(Date.UTC(2000, 0, 1 + n % 7000)).toISOString()
  return [
    ["Observation", (n) => item("Observation", `o${n}`, { status: "final", effectiveDateTime: dated(n), note })],
    ["Provenance", (n) => item("Provenance", `p${n}`, { target: [{ reference: `Observation/o${n}` }] })],
    ["Medication", (n) => item("Medication", `m${n}`, { code: { text: "x".repeat(400) } })],
    [
      "MedicationRequest",
      (n) => item("MedicationRequest", `r${n}`, { medicationReference: { reference: `Medication/m${n}` }, note })
    ]
  ]
}

/** What an app's sorted and including searches of a very large record take: time, turns of the event loop, memory. */
export const lists = benchmark<Search | "time" | "resident">({
  rounds: 5,
  figures: {
    ...held,
    time: { name: "_sort=-date of 20,000", unit: "ms", floor: "a filter that opens the same", goal: { atMost: 1.5 } },
    resident: { name: "resident set meanwhile", unit: "MB", floor: "before", goal: { atMost: 600 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { held, owner, service } = yield* openHeld(tree, { OAUTH_JWT_SECRET: oauthSecret })
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    for (const [type, make] of texts()) {
      const body = syncBody(new Map([[type, Array.from({ length: count }, (_, n) => make(n))]]))
      yield* Effect.promise(() => timedSync(service, veteran, body))
    }
    const app = yield* Effect.promise(() => connectApp(service, owner, veteran))
    const ask = async (path: string) => {
      await setTimeout(100)
      await held()
      const ms = await timed(async () => expecting(200, await call(service, "GET", `${fhir}/${path}`, app)))
      return { ms, ...await held() }
    }
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const before = residentSet(service)
      const asked = {} as Record<Search, Awaited<ReturnType<typeof ask>>>
      const most = await watched(service, async () => {
        for (const [key, path] of Object.entries(searches)) asked[key as Search] = await ask(path)
      })
      const samples = Object.fromEntries(
        Object.entries(asked).map(([key, { garbage, ms, worked }]) => [
          key,
          { ours: worked, detail: `of it garbage ${garbage.toFixed(0)} ms; in ${ms.toFixed(0)} ms` }
        ])
      ) as Record<Search, { readonly ours: number; readonly detail: string }>
      return {
        ...samples,
        time: { ours: asked.sorted.ms, floor: asked.counted.ms },
        resident: alone(most, before)
      }
    }
  })
})
