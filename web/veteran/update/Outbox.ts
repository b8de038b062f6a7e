import { Clock, Effect, Latch } from "effect"
import { firstBody } from "../../../src/client/SyncBodies.ts"
import type { LoadedType } from "./SyncBody.ts"

/** The largest body in bytes before compression. The service takes 64 MiB (contract, 14.8, step 4). */
export const maxBodyBytes = 60 * 1024 * 1024

/** A sync goes out when this many bytes wait, or earlier at the end or when the page is hidden. */
const dueBytes = 2_000_000

/** Milliseconds between two syncs. The service takes 6 in a minute. */
const pauseMs = 12_000

const noDigests: ReadonlyMap<string, string> = new Map()

/** The types that are loaded and not sent yet. It decides when a sync goes out, and with which of them. */
export class Outbox {
  private types: ReadonlyArray<LoadedType> = []
  private isUrgent = false
  private isClosed = false
  private lastAt = -Infinity
  /** The most types of one body. A refused body halves it, until the type that the service refuses is alone. */
  private maxTypes = Infinity
  private readonly changed = Latch.makeUnsafe(false)

  add(type: LoadedType) {
    this.types = [...this.types, type]
    this.changed.openUnsafe()
  }

  /** Sends what waits now as soon as possible. */
  hurry() {
    this.isUrgent = this.types.length > 0
    this.changed.openUnsafe()
  }

  /** No more types will be added. */
  close() {
    this.isClosed = true
    this.changed.openUnsafe()
  }

  reopen() {
    this.isClosed = false
  }

  /** Takes the types of a body back, which was not stored. */
  back(types: ReadonlyArray<LoadedType>) {
    this.types = [...types, ...this.types]
    this.hurry()
  }

  /** Takes the types of a refused body back, to send them in smaller bodies. */
  divide(types: ReadonlyArray<LoadedType>) {
    this.maxTypes = Math.ceil(types.length / 2)
    this.back(types)
  }

  /** Waits until a sync is due. Returns its types, or undefined if all were sent and no more will come. */
  readonly next: Effect.Effect<ReadonlyArray<LoadedType> | undefined> = Effect.gen({ self: this }, function*() {
    for (;;) {
      this.changed.closeUnsafe()
      const now = yield* Clock.currentTimeMillis
      const wait = this.waitMs(now)
      if (wait === "done") return undefined
      if (wait === 0) return this.take(now)
      yield* wait === "more" ? this.changed.await : Effect.timeoutOption(this.changed.await, wait)
    }
  })

  private waitMs(now: number): number | "more" | "done" {
    if (this.types.length === 0) return this.isClosed ? "done" : "more"
    if (this.isClosed || this.isUrgent) return 0
    const waiting = this.types.reduce((sum, { bytes }) => sum + bytes, 0)
    return waiting < dueBytes ? "more" : Math.max(0, this.lastAt + pauseMs - now)
  }

  private take(now: number) {
    const taken = firstBody(this.types, noDigests, maxBodyBytes).slice(0, this.maxTypes)
    this.types = this.types.slice(taken.length)
    this.lastAt = now
    if (this.types.length === 0) this.isUrgent = false
    return taken
  }
}
