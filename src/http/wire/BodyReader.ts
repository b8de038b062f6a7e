import { Effect, Schedule } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { createGunzip, createZstdDecompress } from "node:zlib"
import {
  InvalidJson,
  PayloadTooLarge,
  RequestTimeout,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../domain/Errors.ts"
import type { Hold } from "../../services/platform/ByteBudget.ts"
import type { BodyLimit } from "../contract/RequestLimits.ts"
import { isForm } from "./FormBody.ts"
import { incomingOf, outgoingOf } from "./Http1.ts"
import type { SlowClients } from "./SlowClients.ts"

/** The body's bytes count in `hold` from when its reading begins, and its client is watched from then on. */
interface Reading {
  readonly hold: Hold
  readonly slowClients: SlowClients["Service"]
}

type BodyError = InvalidJson | PayloadTooLarge | RequestTimeout | ServiceUnavailable | UnsupportedMediaType

/**
 * Answers a request's body as bytes, decompressed, under the endpoint's limit; it is empty where there is none. It is JSON, unless
 * `form` says that it is a form. Fails with `ServiceUnavailable` where it finds no room in the budget.
 */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  { besides, bytes, encodings, form }: BodyLimit & { readonly form: boolean },
  reading: Reading
): Effect.Effect<Buffer, BodyError> => {
  const { headers } = request
  const most = bytes + (besides?.bytes ?? 0)
  const length = headers["content-length"]
  if (length === "0" || (length === undefined && headers["transfer-encoding"] === undefined)) {
    return Effect.succeed(Buffer.alloc(0))
  }
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity"
  const isExpected = form ? isForm : isJson
  if (!isExpected(headers["content-type"]) || (encoding !== "identity" && !encodings.includes(encoding))) {
    return Effect.fail(new UnsupportedMediaType(form ? UnsupportedMediaType.form : {}))
  }
  if (Number(length) > most) return Effect.fail(new PayloadTooLarge())
  const known = encoding === "identity" && length !== undefined ? Number(length) : undefined
  return Effect.andThen(
    known === undefined ? Effect.void : roomFor(known, reading.hold),
    Effect.suspend(() => {
      // The client waits for this word before it sends the body.
      if (headers["expect"]?.toLowerCase() === "100-continue") outgoingOf(request).writeContinue()
      const source = incomingOf(request)
      if (encoding === "identity") return collect(source, source, known ?? most, known, reading)
      const decompress = encoding === "gzip" ? createGunzip() : createZstdDecompress()
      return collect(source, source.pipe(decompress), most, undefined, reading)
    })
  )
}

const noRoom = () => new ServiceUnavailable(ServiceUnavailable.crowded)

/** A body that nobody reads yet stays with its client: it may wait a while for those before it, here and in the kernel. */
const roomFor = (bytes: number, hold: Hold) =>
  Effect.suspend(() => hold.resize(bytes) ? Effect.void : Effect.fail(noRoom())).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
  )

/** Where a body's length is not known, it takes room in such steps. */
const step = 64 * 1024

/** So much memory it is read into at first; where that is full, into four times as much. */
const firstBytes = 256 * 1024

/** Reads `stream`, which `source` feeds, and stops as soon as it passes `most` bytes. */
const collect = (
  source: IncomingMessage,
  stream: Readable,
  most: number,
  known: number | undefined,
  { hold, slowClients }: Reading
) =>
  Effect.callback<Buffer, BodyError>((resume) => {
    // The body is read into its place: the largest would otherwise stand in memory twice, and to join it would take long.
    // The most at once for each would have the garbage collector look at everything.
    let whole = Buffer.allocUnsafe(known ?? Math.min(firstBytes, most))
    let size = 0
    const done = (result: Effect.Effect<Buffer, BodyError>) => {
      stream.off("data", onData).off("end", onEnd).off("error", onError)
      source.off("close", onAbort)
      unwatch()
      if (stream !== source) {
        stream.on("error", () => {}).destroy()
        source.unpipe()
      }
      source.pause()
      resume(result)
    }
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > most) return done(Effect.fail(new PayloadTooLarge()))
      while (size + chunk.length > whole.length) {
        const larger = Buffer.allocUnsafe(Math.min(4 * whole.length, most))
        whole.copy(larger, 0, 0, size)
        whole = larger
      }
      chunk.copy(whole, size)
      size += chunk.length
      if (known === undefined && !hold.resize(Math.ceil(size / step) * step)) done(Effect.fail(noRoom()))
    }
    const onEnd = () => done(Effect.succeed(whole.subarray(0, size)))
    // Either the compression is broken, or the client hung up and no one reads the answer.
    const onError = () => done(Effect.fail(new InvalidJson()))
    const onAbort = () => source.readableEnded ? undefined : onError()
    const unwatch = slowClients.watchBody(source, most, () => done(Effect.fail(new RequestTimeout())))
    // The client hung up before anyone listened: its events are past, and an uninterruptible route would wait for ever.
    if (source.destroyed) return onError()
    stream.on("data", onData).on("end", onEnd).on("error", onError)
    source.on("close", onAbort)
    return Effect.sync(() => done(Effect.interrupt as never))
  })

const isJson = (contentType: string | undefined) =>
  contentType === undefined || /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType.trim())
