import { Effect } from "effect"
import { call, giveGrant, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { resource, sync } from "../test/support/Sync.ts"
import { type Bench, median } from "./Bench.ts"

const pairs = 600

/** What its proof row adds to a record view: the first view of a minute writes one, and the next one none. A sync writes one always. */
export const benchProofRows = ({ owner, service }: Bench) =>
  Effect.promise(async () => {
    const provider = await signInProvider(service)
    const veteran = await signInVeteran(service)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
    await giveGrant(service, veteran, provider)
    const view = async (isFirst: boolean) => {
      await owner.query(
        `update acts_noted set minute = ${isFirst ? "minute - interval '1 minute'" : "date_trunc('minute', now())"}`
      )
      await owner.query("delete from rate_limit_spendings")
      const started = performance.now()
      const path = `/api/provider/patients/${veteran.id}/record`
      const { status, text } = await call(service, "GET", path, { headers: provider.headers })
      if (status !== 200) throw new Error(text)
      return performance.now() - started
    }
    for (let warm = 0; warm < 100; warm++) await view(true)
    const times: Array<{ readonly first: number; readonly next: number }> = []
    for (let pair = 0; pair < pairs; pair++) {
      const next = pair % 2 === 0 ? await view(false) : undefined
      const first = await view(true)
      times.push({ first, next: next ?? await view(false) })
    }
    const [first, next] = [median(times.map(({ first }) => first)), median(times.map(({ next }) => next))]
    console.log(
      `${"the proof row of a record view".padEnd(44)} ${(first - next).toFixed(2).padStart(6)} ms more, of ${
        first.toFixed(2)
      } ms   aim <= 0.20 ms`
    )
    const syncing: Array<number> = []
    for (let n = 0; n < 40; n++) {
      await owner.query("delete from rate_limit_spendings")
      const started = performance.now()
      await sync(service, veteran, { Condition: "unavailable" })
      syncing.push(performance.now() - started)
    }
    const started = performance.now()
    await owner.query(
      `do $$ begin
         perform set_config('app.veteran_id', '${veteran.id}', false);
         for n in 1..1000 loop perform app.prove_sync('{"Condition": 1}'); end loop;
       end $$`
    )
    const row = (performance.now() - started) / 1000
    console.log(
      `${"the proof row of a sync, in the database".padEnd(44)} ${row.toFixed(2).padStart(6)} ms, of ${
        median(syncing).toFixed(2)
      } ms for a sync of nothing`
    )
  })
