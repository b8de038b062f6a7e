import { setImmediate } from "node:timers/promises"
import type { MessagePort } from "node:worker_threads"

interface Trial {
  readonly does: "echo" | "throw" | "exhaust" | "exit" | "never" | "stream" | "write"
  readonly value?: unknown
  readonly port?: MessagePort
  /** A byte is added to when the work begins. */
  readonly begun?: Int32Array
}

/** What Workers.test.ts has a thread do. */
export default async ({ begun, does, port, value }: Trial): Promise<unknown> => {
  if (begun !== undefined) {
    Atomics.add(begun, 0, 1)
    Atomics.notify(begun, 0)
  }
  switch (does) {
    case "echo":
      return value
    case "write":
      process.stderr.write(`${value}`)
      return value
    case "throw":
      throw new TypeError("a defect of the task")
    case "exhaust": {
      const kept = []
      for (;;) {
        kept.push(new Array(10_000).fill(0).map((_, index) => ({ index })))
        await setImmediate()
      }
    }
    case "exit":
      return process.exit(3)
    case "never":
      return new Promise(() => setInterval(() => {}, 1000))
    case "stream":
      for (const part of [1, 2, 3]) port!.postMessage(part)
      port!.close()
      return "sent"
  }
}
