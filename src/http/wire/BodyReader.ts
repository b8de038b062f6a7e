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

/** While a body is read, `hold` counts its bytes and `slowClients` watches its client. */
interface Reading {
  readonly hold: Hold
  readonly slowClients: SlowClients["Service"]
}

/** What a body may be: JSON, a form if `form` is true, and FHIR's Parameters or a form if `parameters` is true. */
interface BodyForm {
  readonly form: boolean
  readonly parameters: boolean
}

type BodyError = InvalidJson | PayloadTooLarge | RequestTimeout | ServiceUnavailable | UnsupportedMediaType

/**
 * Reads a request's body, decompressed, within the endpoint's limit. A request without a body gives no bytes.
 * Fails with `ServiceUnavailable` if the byte budget has no room.
 */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  { besides, bytes, encodings, form, parameters }: BodyLimit & BodyForm,
  reading: Reading
): Effect.Effect<Buffer, BodyError> => {
  const { headers } = request
  const maxBytes = bytes + (besides?.bytes ?? 0)
  const length = headers["content-length"]
  if (length === "0" || (length === undefined && headers["transfer-encoding"] === undefined)) {
    return Effect.succeed(Buffer.alloc(0))
  }
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity"
  const type = headers["content-type"]
  const isExpected = parameters ? isForm(type) || isFhirJson(type) : form ? isForm(type) : isJson(type)
  if (!isExpected || (encoding !== "identity" && !encodings.includes(encoding))) {
    return Effect.fail(
      new UnsupportedMediaType(parameters ? UnsupportedMediaType.parameters : form ? UnsupportedMediaType.form : {})
    )
  }
  if (Number(length) > maxBytes) return Effect.fail(new PayloadTooLarge())
  const known = encoding === "identity" && length !== undefined ? Number(length) : undefined
  return Effect.andThen(
    known === undefined ? Effect.void : roomFor(known, reading.hold),
    Effect.suspend(() => {
      // The client sends the body only after this interim answer, `100 Continue`.
      if (headers["expect"]?.toLowerCase() === "100-continue") outgoingOf(request).writeContinue()
      const source = incomingOf(request)
      if (encoding === "identity") return collect(source, source, known ?? maxBytes, known, reading)
      const decompress = encoding === "gzip" ? createGunzip() : createZstdDecompress()
      return collect(source, source.pipe(decompress), maxBytes, undefined, reading)
    })
  )
}

const noRoom = () => new ServiceUnavailable(ServiceUnavailable.crowded)

/** Waits up to 10 seconds for room in the byte budget. Meanwhile the body stays with its client and in the kernel. */
const roomFor = (bytes: number, hold: Hold) =>
  Effect.suspend(() => hold.resize(bytes) ? Effect.void : Effect.fail(noRoom())).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 })
  )

/** A body of unknown length takes its hold on the byte budget in steps of this many bytes. */
const step = 64 * 1024

/** The first buffer's length in bytes. A full buffer is replaced by one of four times its length. */
const firstBytes = 256 * 1024

/** Reads `stream`, which `source` feeds, and fails as soon as the stream exceeds `maxBytes`. */
const collect = (
  source: IncomingMessage,
  stream: Readable,
  maxBytes: number,
  known: number | undefined,
  { hold, slowClients }: Reading
) =>
  Effect.callback<Buffer, BodyError>((resume) => {
    // The body is read into one buffer that grows. Joining chunks at the end would take long and keep a large body in
    // memory twice. A buffer of the largest length for each body would trigger full garbage collections.
    let whole = Buffer.allocUnsafe(known ?? Math.min(firstBytes, maxBytes))
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
      if (size + chunk.length > maxBytes) return done(Effect.fail(new PayloadTooLarge()))
      while (size + chunk.length > whole.length) {
        const larger = Buffer.allocUnsafe(Math.min(4 * whole.length, maxBytes))
        whole.copy(larger, 0, 0, size)
        whole = larger
      }
      chunk.copy(whole, size)
      size += chunk.length
      if (known === undefined && !hold.resize(Math.ceil(size / step) * step)) done(Effect.fail(noRoom()))
    }
    const onEnd = () => done(Effect.succeed(whole.subarray(0, size)))
    // The compressed data is broken, or the client hung up. In the second case nobody reads the answer.
    const onError = () => done(Effect.fail(new InvalidJson()))
    const onAbort = () => source.readableEnded ? undefined : onError()
    const unwatch = slowClients.watchBody(source, maxBytes, () => done(Effect.fail(new RequestTimeout())))
    // If the client hung up earlier, no event follows, and an uninterruptible route would wait for ever.
    if (source.destroyed) return onError()
    stream.on("data", onData).on("end", onEnd).on("error", onError)
    source.on("close", onAbort)
    return Effect.sync(() => done(Effect.interrupt as never))
  })

const isJson = (contentType: string | undefined) =>
  contentType === undefined || /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType.trim())

const isFhirJson = (contentType: string | undefined) =>
  isJson(contentType?.replace(/^\s*application\/(?:fhir\+json|json\+fhir)/i, "application/json"))
