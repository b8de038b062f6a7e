import { InvalidJson, InvalidRequest, PayloadTooLarge, SyncRequired } from "../../domain/Errors.ts"
import type { Dialogue } from "../platform/Dialogue.ts"
import { type Step, type SyncBody, SyncReading } from "./SyncReading.ts"

export type Method = "begin" | "recallClassified" | "recall" | "step"

/** A call of a method of `SyncReading` in another process. */
export interface Question {
  readonly method: Method
  readonly args: ReadonlyArray<unknown>
}

export type Reply =
  | { readonly answer: unknown }
  /** The issues, or undefined if the request is not JSON. */
  | { readonly refused: InvalidRequest["issues"] | undefined }
  /** The request has too many resources. */
  | { readonly tooLarge: true }
  /** The types that the client wrongly claims to be unchanged. */
  | { readonly required: SyncRequired["resourceTypes"] }

/**
 * Reads a sync in a worker process: receives the body, then questions. The next step is prepared while the database
 * executes the current one. Preparing one more step would cost 20 MB in the largest sync and save no time.
 */
export default function read({ hear, tell }: Dialogue<SyncBody | Question, Reply>): never {
  const body = hear() as SyncBody
  let reading: SyncReading | undefined
  tell(attempt(() => {
    reading = new SyncReading(body)
  }))
  let ahead: Reply | undefined
  const step = () => attempt(() => reading!.step())
  for (;;) {
    const question = hear() as Question
    const { method } = question
    const reply = method !== "step" ? attempt(() => answerTo(reading!, question)) : ahead ?? step()
    ahead = undefined
    tell(reply)
    if (method === "step" && "answer" in reply && !("manifest" in (reply.answer as Step))) ahead = step()
  }
}

/** Calls the method that a question names. The cast is needed, because messages between processes carry no types. */
export const answerTo = (reading: SyncReading, { args, method }: Question) =>
  (reading[method] as (...args: ReadonlyArray<unknown>) => unknown)(...args)

/** Does the work and returns its result, or a refusal as plain data. */
export const attempt = (work: () => unknown): Reply => {
  try {
    return { answer: work() }
  } catch (error) {
    if (error instanceof InvalidJson) return { refused: undefined }
    if (error instanceof PayloadTooLarge) return { tooLarge: true }
    if (error instanceof InvalidRequest) return { refused: error.issues }
    if (error instanceof SyncRequired) return { required: error.resourceTypes }
    throw error
  }
}
