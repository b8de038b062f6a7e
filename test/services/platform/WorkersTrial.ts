import { setImmediate } from "node:timers/promises"
import type { Dialogue } from "../../../src/services/platform/Dialogue.ts"

interface Trial {
  readonly does: "echo" | "throw" | "exhaust" | "exit" | "never" | "count" | "grow" | "leave" | "write"
  readonly value?: unknown
}

/** The tasks that Workers.long.test.ts gives to a process. */
export default async ({ hear, tell }: Dialogue<Trial, unknown>): Promise<void> => {
  const { does, value } = hear()
  switch (does) {
    case "echo":
      return tell(value)
    case "write":
      process.stderr.write(`${value}`)
      return tell(value)
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
      tell(process.pid)
      for (;;);
    case "count":
      for (let part = 1;; part++) {
        tell([part, process.pid])
        hear()
      }
    case "grow":
      return tell([process.pid, Buffer.alloc(Number(value), 1).length])
    case "leave":
      return
  }
}
