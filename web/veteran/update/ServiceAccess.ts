import { Clock, Effect, Latch } from "effect"
import type { Access } from "./Messages.ts"

/** A token is renewed when it has less than this left (contract, 14.8, step 6). */
const leastMs = 3 * 60_000

/** The access token of the service. The page renews it, because it has the device's key. */
export class ServiceAccess {
  private access: Access
  private readonly ask: () => void
  private readonly isThere = Latch.makeUnsafe(true)

  constructor(access: Access, ask: () => void) {
    this.access = access
    this.ask = ask
  }

  /** Takes the token that the page renewed. */
  give(access: Access) {
    this.access = access
    this.isThere.openUnsafe()
  }

  /** The authorization header. It waits for the page if the token must be renewed first. */
  readonly authorization = Effect.suspend(() =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (this.access.expiresAt - now < leastMs) this.expire()
      return Effect.map(this.isThere.await, () => this.access.authorization)
    })
  )

  /** Asks for a new token, unless the page is already asked. The service did not take the present one. */
  expire() {
    if (this.isThere.closeUnsafe()) this.ask()
  }
}
