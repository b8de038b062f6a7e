import { readFileSync } from "node:fs"
import { MessagePort, parentPort } from "node:worker_threads"

/**
 * Loaded into a service before its own code (`--import`): its worker threads do what a file says before each task. They hold
 * still while it says `hold`, and end when it says `end`, or with the first message on a port of their own when it says `end
 * later`.
 */
const said = () => {
  try {
    return readFileSync(process.env["THREAD_TROUBLE"]!, "utf8")
  } catch {
    return ""
  }
}

const trouble = () => {
  const clock = new Int32Array(new SharedArrayBuffer(4))
  while (said() === "hold") Atomics.wait(clock, 0, 0, 5)
  if (said() === "end") process.exit(1)
}

if (parentPort !== null) {
  const on = parentPort.on.bind(parentPort)
  const troubled = (listener: (...values: Array<unknown>) => void) => (...values: Array<unknown>) => {
    trouble()
    listener(...values)
  }
  parentPort.on = (event: string, listener: (...values: Array<any>) => void) =>
    on(event as never, event === "message" ? troubled(listener) : listener)
  const once = MessagePort.prototype.once
  MessagePort.prototype.once = function(this: MessagePort, event: never, listener: (value: never) => void) {
    return once.call(this, event, (value) => said() === "end later" ? process.exit(1) : listener(value as never))
  } as typeof once
}
