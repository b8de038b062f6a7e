import type * as S3 from "@aws-sdk/client-s3"
import { AsyncLocalStorage } from "node:async_hooks"
import { addAbortSignal, pipeline, Readable, Transform } from "node:stream"
import { BucketRefused } from "./BucketErrors.ts"

/** No answer is read further. A page of a listing has less than 1 MiB, and a piece of a file 4 MiB. */
const longest = 8 * 1024 * 1024

const limits = new AsyncLocalStorage<AbortSignal>()

/** Runs a step whose answers all end with this signal. */
export const endingWith = <A>(signal: AbortSignal, step: (signal: AbortSignal) => Promise<A>) =>
  limits.run(signal, step, signal)

/**
 * Ends each answer at the time limit of its step, and at a size. The SDK itself would go on reading: an endless answer
 * into memory, and a slow one on a connection that is lost to others.
 */
export const boundAnswers = (client: S3.S3Client) =>
  client.middlewareStack.addRelativeTo(
    <Asked, Answered>(next: (asked: Asked) => Promise<Answered>) => async (asked: Asked) => {
      const answered = await next(asked)
      const { response } = answered as { readonly response?: { body?: unknown } }
      if (response?.body instanceof Readable) response.body = bounded(response.body, limits.getStore())
      return answered
    },
    { name: "vrssBoundAnswers", relation: "after", toMiddleware: "deserializerMiddleware" }
  )

const bounded = (body: Readable, signal: AbortSignal | undefined) => {
  let size = 0
  const counted = new Transform({
    transform: (piece: Buffer, _, done) => {
      size += piece.length
      if (size > longest) done(new BucketRefused("AnswerTooLong"))
      else done(null, piece)
    }
  })
  // The end of one of the two ends the other.
  pipeline(body, counted, () => {})
  return signal === undefined ? counted : addAbortSignal(signal, counted)
}
