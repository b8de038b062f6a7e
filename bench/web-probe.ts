/** Runs in a page before the page's own scripts; the bench calls it by its name. All times are milliseconds of the page's own clock. */

const tasks: Array<number> = []

new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true })

/** The end of the first frame in which this holds. */
const frameWhere = (holds: () => boolean, patience = 60_000) =>
  new Promise<number>((resolve, reject) => {
    const end = performance.now() + patience
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now())
    const look = () => {
      // What was posted in a frame is heard once that frame was painted.
      if (holds()) port2.postMessage(undefined)
      else if (performance.now() > end) reject(new Error("the page never came so far"))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })

const cards = () => [...document.querySelectorAll(".glance-card")].map(({ textContent }) => textContent)

const isThere = (card: string | undefined) => card !== undefined && !card.includes("Still loading")

const itemsSaid = () =>
  [...document.querySelectorAll(".items [role=status]")].map(({ textContent }) => textContent).join("")

const probe = {
  /** When something of the page was painted first, and the bytes of its HTML, scripts and styles as they came. */
  load() {
    const parts = performance.getEntries().filter((entry) =>
      entry instanceof PerformanceResourceTiming && /\/$|\.(js|css)$/.test(entry.name)
    ) as Array<PerformanceResourceTiming>
    return {
      painted: performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
      bytes: parts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    }
  },
  /** Chooses the first patient, and tells when what of the record was shown. */
  async opening() {
    const begun = performance.now()
    document.querySelector<HTMLElement>(".patients th a")!.click()
    const [bar, lists, glance, all] = await Promise.all([
      frameWhere(() => document.querySelector(".patient-bar") !== null),
      frameWhere(() => cards().length === 4 && cards().slice(0, 3).every(isThere)),
      frameWhere(() => cards().length === 4 && cards().every(isThere)),
      frameWhere(() => /^[\d,]+ items?$/.test(itemsSaid()))
    ])
    return { bar: bar - begun, lists: lists - begun, glance: glance - begun, all: all - begun }
  },
  /** Of the next keystroke until the frame that shows another number of items; null where it stays the same. */
  keystroke() {
    const before = itemsSaid()
    const { promise, resolve } = Promise.withResolvers<number | null>()
    addEventListener("keydown", ({ timeStamp }) => {
      frameWhere(() => itemsSaid() !== before, 500).then((end) => resolve(end - timeStamp), () => resolve(null))
    }, { once: true, capture: true })
    armed = promise
  },
  /** The answer of `keystroke`. */
  frame: () => armed,
  /** The longest task since this was asked last; 0: none took 50 ms. */
  longest: () => Math.max(0, ...tasks.splice(0)),
  /** Only fetches: the first address, then the others, so many at a time. */
  async fetched(addresses: Array<string>, headers: Record<string, string>, atOnce: number) {
    const begun = performance.now()
    const ask = async (address: string) => (await fetch(address, { headers, cache: "no-store" })).arrayBuffer()
    const [first, ...left] = addresses
    await ask(first!)
    await Promise.all(Array.from({ length: atOnce }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await ask(next)
    }))
    return performance.now() - begun
  }
}

let armed: Promise<number | null> = Promise.resolve(null)

Object.assign(globalThis, { probe })

export type Probe = typeof probe
