import type { MessagePort } from "node:worker_threads"
import { InvalidJson, InvalidRequest, SyncRequired } from "../../domain/Errors.ts"
import { type Step, type SyncBody, SyncReading } from "./SyncReading.ts"

export type Method = "begin" | "recallClassified" | "recall" | "step"

/** What is asked of a reading in another thread: one of its methods. */
export interface Question {
  readonly method: Method
  readonly args: ReadonlyArray<unknown>
}

export type Reply =
  | { readonly answer: unknown }
  /** The issues; none where the request is no JSON. */
  | { readonly refused: InvalidRequest["issues"] | undefined }
  /** The types that are not as the client says. */
  | { readonly required: SyncRequired["resourceTypes"] }

/**
 * Reads a sync in a thread of its own, and answers what is asked on the port until that is closed. While the database does
 * one step the next is made, and no third: it would cost 20 MB more in the largest sync, and save no time.
 */
export default ({ body, port }: { readonly body: SyncBody; readonly port: MessagePort }) =>
  new Promise<void>((resolve) => {
    let reading: SyncReading | undefined
    let ahead: Reply | undefined
    const opened = attempt(() => {
      reading = new SyncReading(body)
    })
    const step = () => attempt(() => reading!.step())
    port.on("message", ({ args, method }: Question) => {
      const reply = method !== "step" ? attempt(() => (reading![method] as any)(...args)) : ahead ?? step()
      ahead = undefined
      send(port, reply)
      if (method === "step" && "answer" in reply && !("manifest" in (reply.answer as Step))) ahead = step()
    })
    port.on("close", resolve)
    send(port, opened)
  })

const attempt = (work: () => unknown): Reply => {
  try {
    return { answer: work() }
  } catch (error) {
    if (error instanceof InvalidJson) return { refused: undefined }
    if (error instanceof InvalidRequest) return { refused: error.issues }
    if (error instanceof SyncRequired) return { required: error.resourceTypes }
    throw error
  }
}

const send = (port: MessagePort, reply: Reply) => {
  const step = "answer" in reply ? reply.answer as Step | undefined : undefined
  if (step === undefined || !("store" in step)) return port.postMessage(reply)
  const { envelopes, macs } = step.store
  port.postMessage(reply, [envelopes.buffer as ArrayBuffer, macs.buffer as ArrayBuffer])
}
