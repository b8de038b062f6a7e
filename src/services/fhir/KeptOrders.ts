import type { VeteranId } from "../../domain/Id.ts"

/** Places that are kept, of about 150 bytes each: in all, and of one veteran. The largest order has 20,000. */
const max = { all: 100_000, ofVeteran: 25_000 }

/** An order counts as this many places more, so that many short ones take no more memory. */
const overhead = 50

/** Milliseconds after which an order is dropped. A reader who comes later has it made anew. */
const life = 10 * 60_000

interface Kept<Place> {
  readonly veteranId: VeteranId
  readonly places: ReadonlyArray<Place>
  readonly end: NodeJS.Timeout
}

/**
 * Keeps the orders of searches in this process, so that the next page does not open a whole type again. An order holds
 * only ids, dates and sizes. Its key must name all that it was made from. What is not kept is made anew.
 */
export class KeptOrders<Place> {
  private readonly orders = new Map<string, Kept<Place>>()

  get(key: string): ReadonlyArray<Place> | undefined {
    const kept = this.orders.get(key)
    if (kept === undefined) return undefined
    // The map is in the order of the last use.
    this.orders.delete(key)
    this.orders.set(key, kept)
    return kept.places
  }

  keep(veteranId: VeteranId, key: string, places: ReadonlyArray<Place>) {
    this.drop(key)
    const end = setTimeout(() => this.drop(key), life).unref()
    this.orders.set(key, { veteranId, places, end })
    this.shrink(max.ofVeteran, (kept) => kept.veteranId === veteranId)
    this.shrink(max.all, () => true)
  }

  /** Drops those that were used the longest time ago, if they have more than `limit` places together. */
  private shrink(limit: number, isOne: (kept: Kept<Place>) => boolean) {
    let sum = 0
    for (const [key, kept] of [...this.orders].reverse()) {
      if (isOne(kept) && (sum += kept.places.length + overhead) > limit) this.drop(key)
    }
  }

  private drop(key: string) {
    clearTimeout(this.orders.get(key)?.end)
    this.orders.delete(key)
  }
}
