import { Context, Effect, Layer, Option, PartitionedSemaphore, Stream } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { constants, createGzip, createZstdCompress } from "node:zlib"
import { type Hold, negligible } from "../../services/platform/ByteBudget.ts"
import { counters } from "../../services/platform/Gauges.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { Api } from "../Api.ts"
import { CompressedAnswer } from "../contract/RequestLimits.ts"
import { acceptedCoding, type Coding, varyBy } from "./Accept.ts"
import { holderOf } from "./Holder.ts"
import { templateOf } from "./RequestLimitsLive.ts"

/**
 * The routes whose answers are compressed: every GET, and every route with the annotation `CompressedAnswer`. Secrets
 * are never compressed, because the length of a compressed text reveals something of its parts (CRIME, BREACH). No body
 * of a GET contains a secret: only other methods create secrets, and only hashes of them are stored. Google's callback
 * is a GET that creates a code, but its answer has no body.
 */
const compressed = new Set<string>()

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations }) => {
    if (endpoint.method === "GET" || Context.get(mergedAnnotations, CompressedAnswer)) {
      compressed.add(templateOf(endpoint))
    }
  }
})

/** Two of libuv's four threads; the others are for files and password hashes. */
const atOnce = 2

/** The longest wait for a turn; then the answer is sent uncompressed. Compression saves a page 3.4 s at 10 Mbit/s. */
const patience = "1 second"

/**
 * The bytes that one task of a thread compresses: a page of a record, which takes 6 ms (zstd) to 30 ms (gzip). A larger
 * answer becomes several tasks, so that file operations do not wait for all of it.
 */
const slice = 4 * 1024 * 1024

const countAnswer = counters("http_answers_compressed_total", {
  description: "Answers over 4 kB that a client accepts compressed, by coding; none if there was no turn or no room",
  label: "coding",
  values: ["zstd", "gzip", "none"]
})

/** Compresses answers over 4 kB for clients that accept it. Files pass unchanged: most are compressed already. */
export class Compression extends Context.Service<Compression, {
  /** `route` is the method and template of the matched route. `hold` counts the answer's bytes. */
  readonly compress: (
    route: string,
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse,
    hold: Hold | undefined
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}>()("vrss/http/Compression") {
  static readonly layer = Layer.effect(
    Compression,
    Effect.gen(function*() {
      const { trustedProxyHops } = yield* Settings
      const turns = PartitionedSemaphore.makeUnsafe<string>({ permits: atOnce })

      /** Clients take turns: many answers to one do not delay the others. Returns None after a failure or long wait. */
      const inTurn = (holder: string, compressing: Effect.Effect<Option.Option<Buffer>>) =>
        compressing.pipe(
          turns.withPermit(holder),
          Effect.timeoutOption(patience),
          // If the client hangs up, the work ends, and the answer passes on uncompressed.
          Effect.interruptible,
          Effect.exit,
          Effect.map((exit) => exit._tag === "Success" ? Option.flatten(exit.value) : Option.none())
        )

      return Compression.of({
        compress: Effect.fnUntraced(function*(route, request, response, hold) {
          const { body, headers } = response
          if (!compressed.has(route) || body._tag !== "Uint8Array" || !isText.test(body.contentType)) return response
          if (body.contentLength <= negligible) return response
          const varied = HttpServerResponse.setHeader(response, "vary", varyBy(headers["vary"], "Accept-Encoding"))
          const coding = acceptedCoding(request)
          if (coding === undefined) return varied
          const encoded = HttpServerResponse.setHeader(varied, "content-encoding", coding)
          // The answer to HEAD may omit a length that only the compression would give (RFC 9110, 9.3.2).
          if (request.method === "HEAD") {
            return HttpServerResponse.setBody(encoded, HttpBody.stream(Stream.empty, body.contentType))
          }
          const bytes = body.body
          // For a while the text and its compressed form, which is no longer than the text, are both in memory.
          const fits = hold === undefined || hold.resize(2 * bytes.length)
          const result = fits
            ? yield* inTurn(holderOf(request, trustedProxyHops), deflated(bytes, coding))
            : Option.none()
          hold?.take(Option.match(result, { onNone: () => bytes.length, onSome: ({ length }) => length }))
          countAnswer(Option.isSome(result) ? coding : "none")
          return Option.match(result, {
            onNone: () => varied,
            onSome: (smaller) => HttpServerResponse.setBody(encoded, HttpBody.uint8Array(smaller, body.contentType))
          })
        })
      })
    })
  )
}

/** Matches the types of JSON, text and CSV. An answer of another type is a file, which is not compressed. */
const isText = /^(application\/(fhir\+)?json|text\/)/

/**
 * Compresses on threads of libuv, in slices. These levels deliver a page of 4.9 MB soonest over a line of 10 Mbit/s:
 * zstd 2 (429 kB in 6 ms) and gzip 4 (576 kB in 27 ms). Neither is slower over 100 Mbit/s.
 *
 * The answer in zstd is one frame with the length of its content (RFC 8878, 3.1.1). Each slice is written only when the
 * one before it is done. If slices waited in the stream, Node would add an empty frame at the end. No answer has empty
 * frames, because Chromium 147 fails on data that follows one.
 * @returns `None` if the compression fails
 */
const deflated = (bytes: Uint8Array, coding: Coding) =>
  Effect.callback<Option.Option<Buffer>>((resume) => {
    const chunkSize = Math.min(256 * 1024, Math.max(1024, bytes.length))
    const engine = coding === "gzip" ? createGzip({ level: 4, chunkSize }) : createZstdCompress({
      chunkSize,
      pledgedSrcSize: bytes.length,
      params: { [constants.ZSTD_c_compressionLevel]: 2 }
    })
    const chunks: Array<Buffer> = []
    const done = (result: Option.Option<Buffer>) => {
      engine.destroy()
      resume(Effect.succeed(result))
    }
    engine.on("data", (chunk: Buffer) => void chunks.push(chunk))
    engine.on("end", () => done(Option.some(Buffer.concat(chunks))))
    engine.on("error", () => done(Option.none()))
    const write = (at: number): void => {
      if (at >= bytes.length) engine.end()
      else engine.write(bytes.subarray(at, at + slice), (error) => error ? undefined : write(at + slice))
    }
    write(0)
    return Effect.sync(() => void engine.destroy())
  })
