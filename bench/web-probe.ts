import type { Probe } from "./Probe.ts"

// This script runs in a page before the page's own scripts, so it has no imports at run time. The bench calls the
// global `probe`.

const tasks: Array<number> = []

new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true })

/** Waits until `holds` returns true in a frame. Returns the time at which that frame was painted. */
const frameWhere = (holds: () => boolean, patience = 60_000) =>
  new Promise<number>((resolve, reject) => {
    const end = performance.now() + patience
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener("message", () => resolve(performance.now()))
    port1.start()
    const look = () => {
      // A message that is posted in a frame's callback arrives after that frame is painted.
      if (holds()) port2.postMessage(undefined)
      else if (performance.now() > end) reject(new Error("the page never came so far"))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })

const cards = () => [...document.querySelectorAll(".glance-card")].map(({ textContent }) => textContent)

const isThere = (card: string) => !card.includes("Still loading")

const itemsSaid = () =>
  [...document.querySelectorAll(".items [role=status]")].map(({ textContent }) => textContent).join("")

let armed: Promise<number | null> = Promise.resolve(null)

const probe: Probe = {
  async load() {
    const painted = () => performance.getEntriesByName("first-contentful-paint")[0]
    await frameWhere(() => painted() !== undefined)
    const parts = performance.getEntries().filter((entry) =>
      entry instanceof PerformanceResourceTiming && /(^[^.]*|\.(js|css))$/.test(new URL(entry.name).pathname)
    ) as Array<PerformanceResourceTiming>
    return {
      painted: painted()!.startTime,
      bytes: parts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    }
  },
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
  keystroke() {
    const before = itemsSaid()
    const { promise, resolve } = Promise.withResolvers<number | null>()
    armed = promise
    addEventListener("keydown", ({ timeStamp }) => {
      frameWhere(() => itemsSaid() !== before, 300).then((end) => resolve(end - timeStamp), () => resolve(null))
    }, { once: true, capture: true })
  },
  frame: () => armed,
  longest: () => Math.max(0, ...tasks.splice(0)),
  async fetched(addresses, headers, atOnce) {
    const begun = performance.now()
    const ask = async (address: string) =>
      (await fetch(address, { headers: { ...headers }, cache: "no-store" })).arrayBuffer()
    const [first, ...left] = addresses
    await ask(first!)
    await Promise.all(Array.from({ length: atOnce }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await ask(next)
    }))
    return performance.now() - begun
  }
}

Object.assign(globalThis, { probe })
