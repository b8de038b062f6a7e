import { Effect } from "effect"
import { call, giveGrant, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { resource, sync } from "../test/support/Sync.ts"
import { type Bench, median } from "./Bench.ts"

const blocks = 8

const each = 60

/** What its proof row adds to a record view and to a sync: the same requests with the functions that write it, and with empty ones. */
export const benchProofRows = ({ owner, service }: Bench) =>
  Effect.promise(async () => {
    const provider = await signInProvider(service)
    const veteran = await signInVeteran(service)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
    await giveGrant(service, veteran, provider)
    const acts = {
      "a record view": () =>
        call(service, "GET", `/api/provider/patients/${veteran.id}/record`, { headers: provider.headers }),
      "a sync": () =>
        call(service, "POST", "/api/veteran/me/health-record/sync", {
          headers: veteran.headers,
          body: { fhirResourceFetchStatuses: { Condition: "unavailable" }, resources: {} }
        })
    }
    const { rows: functions } = await owner.query<{ empty: string; real: string }>(
      `select pg_get_functiondef(oid) as real,
         regexp_replace(pg_get_functiondef(oid), '\\$function\\$.*\\$function\\$', '$function$begin end$function$') as empty
       from pg_proc where proname in ('prove_view', 'prove_sync')`
    )
    // A sync is limited to six a minute, which is not what is measured; each view is the first of its minute.
    const forget = () => owner.query("delete from acts_noted; delete from rate_limit_spendings")
    for (const [name, act] of Object.entries(acts)) {
      const times = { empty: [] as Array<number>, real: [] as Array<number> }
      for (let block = 0; block < 2 * blocks; block++) {
        const kind = block % 2 === 0 ? "real" : "empty"
        for (const one of functions) await owner.query(one[kind])
        for (let n = -10; n < each; n++) {
          await forget()
          const started = performance.now()
          const { status, text } = await act()
          if (status !== 200) throw new Error(text)
          if (n >= 0) times[kind].push(performance.now() - started)
        }
      }
      for (const { real } of functions) await owner.query(real)
      const [without, withRow] = [median(times.empty), median(times.real)]
      console.log(
        `${`the proof row of ${name}`.padEnd(44)} ${(withRow - without).toFixed(2).padStart(6)} ms more, of ${
          withRow.toFixed(2)
        } ms`
      )
    }
  })
