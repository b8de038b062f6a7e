import { Effect } from "effect"
import { ConsentRequired } from "../../domain/ConsentGrant.ts"
import type { ProviderId, VeteranId } from "../../domain/Id.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as ConsentGrantRepository from "../../sql/consent/ConsentGrantRepository.ts"

export type ActiveGrants = Effect.Success<ReturnType<Effect.Success<typeof activeGrants>>>

/** Reads the grants by which a provider may read a veteran's record now, newest first. There is at least one. */
export const activeGrants = Effect.map(SharedConnections, (sql) => {
  const { patients } = ConsentGrantRepository.make(sql)
  return Effect.fnUntraced(function*(providerId: ProviderId, veteranId: VeteranId) {
    const active = yield* patients({ providerId, veteranId, after: undefined, limit: 100 })
    return active.length > 0 ? active : yield* new ConsentRequired()
  })
})

/** Whether no grant ended since `before` was read. Otherwise, rows that were read meanwhile may be missing. */
export const allStand = (before: ActiveGrants, now: ActiveGrants) =>
  before.every(({ id }) => now.some((grant) => grant.id === id))
