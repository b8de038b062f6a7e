import { Effect } from "effect"
import type { ProviderId } from "../../../domain/Id.ts"
import * as KnownNetworkRepository from "../../../sql/account/KnownNetworkRepository.ts"
import { SharedConnections } from "../../../sql/Connections.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { RateLimits } from "../../platform/RateLimits.ts"
import type { Asker } from "./Password.ts"

const tries = { permits: 20, seconds: 900 }

/** Counts tries of passwords: sign-ins, and changes of a password, which ask for the present one. */
export const loginTries = Effect.gen(function*() {
  const limits = yield* RateLimits
  const networkHash = (yield* Crypto).keyedHash("known-network")
  const networks = KnownNetworkRepository.make(yield* SharedConnections)

  return {
    /**
     * Counts the try. Known and unknown e-mails are counted alike, so that the limit does not reveal which exist. A
     * network where the provider has signed in before has its own limit, so that strangers lock no provider out.
     */
    spend: Effect.fnUntraced(function*(email: string, network: string) {
      const hash = networkHash(email.toLowerCase(), network)
      const known = yield* networks.isKnown(hash)
      yield* known
        ? limits.spend("POST /api/provider/login known network", hash.toString("hex"), tries)
        : limits.spend("POST /api/provider/login e-mail", email.toLowerCase(), tries)
      const asker: Asker = known ? "known" : "stranger"
      return { asker, remember: (provider: ProviderId) => networks.remember(provider, hash) }
    })
  }
})
