import { type Page, rankOf } from "./RecordPages.ts"

/**
 * The number of items that are read in one step, which takes about ten milliseconds. Between steps the thread receives
 * the pages that have arrived.
 */
const stroke = 200

/** Pages that wait to be read. Those with the types of the first glance come first. */
export class ReadingQueue {
  private readonly waiting: Array<Page> = []
  private readonly turn = new MessageChannel()
  private readonly read: (page: Page) => void
  private isBusy = false
  private drained = Promise.withResolvers<void>()

  constructor(read: (page: Page) => void) {
    this.read = read
    this.turn.port1.addEventListener("message", () => this.next())
    this.turn.port1.start()
  }

  add(page: Page) {
    const { items } = page
    const slices = Array.from({ length: Math.ceil(items.length / stroke) || 1 }, (_, index) => ({
      ...page,
      items: items.slice(index * stroke, (index + 1) * stroke),
      isLast: page.isLast && (index + 1) * stroke >= items.length
    }))
    this.waiting.push(...slices)
    // The sort is stable, so pages of one type keep their order.
    this.waiting.sort((a, b) => rankOf(a.resourceType) - rankOf(b.resourceType))
    if (this.isBusy) return
    this.isBusy = true
    this.drained = Promise.withResolvers()
    this.turn.port2.postMessage(undefined)
  }

  /** Waits until all pages that arrived have been read. */
  async empty() {
    if (this.isBusy) await this.drained.promise
  }

  private next() {
    const page = this.waiting.shift()
    if (page !== undefined) this.read(page)
    if (this.waiting.length > 0) return this.turn.port2.postMessage(undefined)
    this.isBusy = false
    this.drained.resolve()
  }
}
