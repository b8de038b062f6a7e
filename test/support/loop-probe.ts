import { createServer } from "node:http"
import { PerformanceObserver } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

/**
 * A test loads this file into the service, before the service's own code (`--import`). It measures how long the
 * event loop is blocked, and answers on a separate port. Each answer begins a new measurement.
 */
export interface Held {
  /** The thread's longest processor time between two turns of the event loop, in milliseconds. */
  readonly worked: number
  /** The part of `worked` that was garbage collection, in milliseconds. */
  readonly garbage: number
}

const workedMillis = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

if (isMainThread) {
  const collections: Array<{ readonly from: number; readonly to: number }> = []
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      collections.push({ from: startTime, to: startTime + duration })
    }
  }).observe({ entryTypes: ["gc"] })

  let longest = { worked: 0, from: 0, to: 0 }
  let last = { at: performance.now(), worked: workedMillis() }
  setInterval(() => {
    const now = { at: performance.now(), worked: workedMillis() }
    const worked = now.worked - last.worked
    if (worked > longest.worked) longest = { worked, from: last.at, to: now.at }
    last = now
  }, 1).unref()

  const server = createServer((_, response) => {
    const garbage = collections.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, longest.to) - Math.max(from, longest.from)),
      0
    )
    const held: Held = { worked: longest.worked, garbage: Math.min(garbage, longest.worked) }
    collections.length = 0
    longest = { worked: 0, from: 0, to: 0 }
    response.end(JSON.stringify(held))
  })
  server.listen(Number(process.env["LOOP_PROBE_PORT"]), "127.0.0.1").unref()
}
