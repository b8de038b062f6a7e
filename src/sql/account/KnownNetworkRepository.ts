import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { ProviderId } from "../../domain/Id.ts"
import { retention } from "../../domain/Retention.ts"
import { atEdge } from "../Connections.ts"
import { value } from "../Rows.ts"

const { after } = retention.networks

const newest = 50

/** Keyed hashes of the networks where providers signed in within 90 days, at most the latest 50 of each provider. */
export const make = (sql: SqlClient.SqlClient) => ({
  isKnown: (network: Uint8Array) =>
    value(
      Schema.Boolean,
      sql`select exists (
              select from known_networks
              where network = ${network} and seen_at > now() - ${after}::interval
            ) as known`
    ),
  remember: (providerId: ProviderId, network: Uint8Array) =>
    atEdge(sql`
      with seen as (
        insert into known_networks (network, provider_id) values (${network}, ${providerId})
        on conflict (network) do update set seen_at = now()
      ), older as (
        select network from known_networks
        where provider_id = ${providerId} and network <> ${network}
        order by seen_at desc offset ${newest - 1}
      ), forgotten as (
        -- Skips rows that a concurrent sign-in is deleting.
        select network from known_networks
        where network <> ${network}
          and (seen_at < now() - ${after}::interval or network in (select network from older))
        for update skip locked
      )
      delete from known_networks where network in (select network from forgotten)`)
})
