import { Effect, Latch } from "effect"

/**
 * Whether the device can be expected to reach anything. A phone that is locked or without a network ends requests, and
 * that is no failure of the VA's.
 */
export class Presence {
  private readonly reasons = new Set<string>()
  private readonly here = Latch.makeUnsafe(true)
  private times = 0

  leave(reason: "hidden" | "offline") {
    this.times++
    this.reasons.add(reason)
    this.here.closeUnsafe()
  }

  come(reason: "hidden" | "offline") {
    this.reasons.delete(reason)
    if (this.reasons.size === 0) this.here.openUnsafe()
  }

  /** Returns a function that tells whether the device was away at some time since this call. */
  watch(): () => boolean {
    const before = this.times
    const wasAway = this.reasons.size > 0
    return () => wasAway || this.times !== before
  }

  /** Waits while the device is away. */
  readonly back = Effect.suspend(() => this.here.await)
}
