/**
 * A test loads this file into a service whose statements it counts, before the service's own code (`--import`). Timers
 * of 15 seconds and more never fire. So no sweep, drain or notice runs again beside the requests, on any machine.
 */
const start = globalThis.setTimeout

globalThis.setTimeout = Object.assign(
  (run: (...values: Array<unknown>) => void, delay = 0, ...values: Array<unknown>) =>
    start(run, delay < 15_000 ? delay : 2 ** 31 - 1, ...values),
  start
)
