import { type Page, rankOf } from "./RecordPages.ts"

/** So many items are read at a stroke, for a few ten milliseconds: between two strokes the thread hears of pages that came. */
const stroke = 200

/** Pages that came and wait to be read: those of the glance first, whatever came before them. */
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
    // Pages of one type stay in their order.
    this.waiting.sort((a, b) => rankOf(a.resourceType) - rankOf(b.resourceType))
    if (this.isBusy) return
    this.isBusy = true
    this.drained = Promise.withResolvers()
    this.turn.port2.postMessage(undefined)
  }

  /** All that came so far was read. */
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
