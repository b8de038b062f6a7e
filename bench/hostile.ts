import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { zstdCompressSync } from "node:zlib"
import { connectApp, fhir, oauthSecret } from "../test/http/fhir/Apps.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { syncPath } from "../test/support/Sync.ts"
import { type Bench, openFloor, residentSet, resources, syncBody, timedSync, watched } from "./Bench.ts"
import { meanwhile, waitsOf } from "./Bystander.ts"
import { alone, benchmark, median } from "./Figure.ts"
import { openLimited, requireRunning } from "./MemoryGroup.ts"

const seconds = 6

/**
 * Requests from one account. Before the service limited them, each one brought it down or blocked it for all accounts.
 */
const kinds = {
  grows: "a code of 20 million U+FDFA",
  expression: "a SNOMED expression of 60 MB",
  reference: "a reference of 60 MB",
  dates: "a search for 16 kB of plus signs",
  codes: "20,000 codings searched for 300 codes",
  values: "a search of 240,000 values",
  large: "a search of a resource of 28 MB",
  reads: "12 reads of a resource of 56 MB",
  tags: "12 reads of the same, if-none-match"
}

type Kind = keyof typeof kinds

const goal = { atMost: 50 }

/**
 * How long others wait while one account sends its worst requests, and how much memory the service takes. A memory
 * group limits the service to 1.5 GiB.
 */
export const hostile = benchmark<Kind | "record" | "resident">({
  rounds: 3,
  figures: {
    ...Object.fromEntries(
      Object.entries(kinds).map(([kind, name]) => [
        kind,
        { name: `/health, longest, beside ${name}`, unit: "ms", floor: "node:http beside it", goal }
      ])
    ) as Record<Kind, { name: string; unit: string; floor: string; goal: typeof goal }>,
    record: {
      name: "a record of 20 beside the worst of them, median",
      unit: "ms",
      floor: "quiet",
      goal: { atMost: 3 }
    },
    resident: { name: "resident set with children meanwhile", unit: "MB", floor: "before", goal: { atMost: 700 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service, told } = yield* openLimited(tree, { OAUTH_JWT_SECRET: oauthSecret })
    const bare = yield* openFloor("{\"status\":\"ok\"}")
    const requests = yield* Effect.promise(() => prepared({ owner, service }))
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    yield* Effect.promise(() => timedSync(service, veteran, syncBody(resources(100))))
    const waits = (seconds: number) =>
      waitsOf(service, bare, "/api/veteran/me/health-record?limit=20", seconds, veteran.headers)
    return async () => {
      const quiet = await waits(3)
      const before = residentSet(service)
      const samples = {} as Record<Kind, ReturnType<typeof alone>>
      let worst = { median: 0, kind: "", failures: 0 }
      const most = await watched(service, async () => {
        for (const kind of Object.keys(kinds) as Array<Kind>) {
          await owner.query("delete from rate_limit_spendings")
          const statuses = new Set<number | string>()
          const asks = requests[kind].map((ask) => async () => {
            statuses.add(await ask().catch((error: Error) => error.message))
            await setTimeout(10)
          })
          const { floor, health, own } = await meanwhile(asks, () => waits(seconds))
          const [ours, least] = [Math.max(...health.times), Math.max(...floor.times)]
          samples[kind] = alone(ours, least, `answered ${[...statuses].join(", ")}`)
          if (median(own.times) > worst.median) worst = { median: median(own.times), kind, failures: own.failures }
        }
      })
      requireRunning(service)
      return {
        ...samples,
        record: {
          ours: worst.median,
          floor: median(quiet.own.times),
          detail: `beside ${kinds[worst.kind as Kind]}, ${worst.failures} failed`
        },
        resident: alone(most, before, told)
      }
    }
  })
})

type Ask = () => Promise<number>

const prepared = async ({ owner, service }: Pick<Bench, "owner" | "service">): Promise<
  Record<Kind, ReadonlyArray<Ask>>
> => {
  const condition = (member: string) =>
    zstdCompressSync(
      `{"fhirResourceFetchStatuses":{"Condition":"complete"},"resources":{"Condition":[{"resourceType":"Condition","id":"a",${member}}]}}`
    )
  const syncing = (member: string): ReadonlyArray<Ask> => {
    const body = condition(member)
    return Array.from({ length: 2 }, () => async () => {
      const { headers } = await signInVeteran(service)
      const encoded = { "content-type": "application/json", "content-encoding": "zstd", ...headers }
      return (await call(service, "POST", syncPath, { headers: encoded, body })).status
    })
  }
  const searching = async (texts: ReadonlyArray<string>, body: string): Promise<ReadonlyArray<Ask>> => {
    const veteran = await signInVeteran(service)
    await timedSync(service, veteran, syncBody({ Observation: texts }))
    const { headers } = await connectApp(service, owner, veteran)
    const form = { "content-type": "application/x-www-form-urlencoded", ...headers }
    return Array.from(
      { length: 2 },
      () => async () => (await call(service, "POST", `${fhir}/Observation/_search`, { headers: form, body })).status
    )
  }
  const observation = (member: string) => `{"resourceType":"Observation","id":"a","status":"final",${member}}`
  const coded = observation(
    `"code":{"coding":[${Array.from({ length: 20_000 }, (_, n) => `{"system":"a","code":"c${n}"}`).join(",")}]}`
  )
  const owning = await signInVeteran(service)
  await timedSync(
    service,
    owning,
    syncBody({ Observation: [observation(`"note":[{"text":"${"x".repeat(56e6)}"}]`)] })
  )
  const app = await connectApp(service, owner, owning)
  const reading = (tag: Record<string, string>): ReadonlyArray<Ask> =>
    Array.from(
      { length: 12 },
      () => async () =>
        (await call(service, "GET", `${fhir}/Observation/a`, { headers: { ...app.headers, ...tag } })).status
    )
  const coding = (system: string, code: string) => `"code":{"coding":[{"system":"${system}","code":"${code}"}]}`
  return {
    grows: syncing(coding("http://hl7.org/fhir/sid/icd-10-cm", "\ufdfa".repeat(20e6))),
    expression: syncing(coding("http://snomed.info/sct", "123456,".repeat(8.5e6))),
    reference: syncing(`"subject":{"reference":"Patient/${"1/".repeat(30e6)}"}`),
    dates: await searching([observation("\"x\":1")], `_lastUpdated=${"+".repeat(16_000)}`),
    codes: await searching([coded], `code=${Array.from({ length: 300 }, (_, n) => `z${n}`).join(",")}`),
    values: await searching([observation(`"x":[${"1,".repeat(240_000)}1]`)], "status=final"),
    large: await searching([observation(`"note":[{"text":"${"x".repeat(28e6)}"}]`)], "status=final"),
    reads: reading({}),
    tags: reading({ "if-none-match": "*" })
  }
}
