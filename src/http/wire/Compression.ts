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
 * The routes whose answers are compressed: those by GET, and what the contract names besides. Length tells something of what was
 * compressed together (CRIME, BREACH), so that a secret never is. That a new route has none need not be remembered: a secret comes
 * into being by an act, no GET has an effect but the one to which Google sends a browser, whose answer has no body, and what is stored
 * of a secret is a hash, which no GET could answer.
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

/** Two of the four threads of libuv: files and password hashes have the others. */
const atOnce = 2

/** A page takes 5 ms (zstd) to 30 ms (gzip), and spares 3.4 s on a line of 10 Mbit/s: what comes to no turn by then goes as it is. */
const patience = "1 second"

/**
 * In bytes. A page of a record is one task of a thread, which takes 6 ms (zstd) to 30 ms (gzip). A larger answer is several
 * tasks, so that files wait no longer than that for their turn.
 */
const slice = 4 * 1024 * 1024

const countAnswer = counters("http_answers_compressed_total", {
  description: "Answers over 4 kB that a client takes compressed, by coding; none: it came to no turn, or to no room",
  label: "coding",
  values: ["zstd", "gzip", "none"]
})

/** Compresses answers over 4 kB for clients that take it. Files are sent as they are: most are compressed already. */
export class Compression extends Context.Service<Compression, {
  /** `route` is the template that was matched, with its method; `hold` has the answer's bytes. */
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

      /** Who asks for many waits behind everybody else. None: it had to be given up. */
      const inTurn = (holder: string, compressing: Effect.Effect<Option.Option<Buffer>>) =>
        compressing.pipe(
          turns.withPermit(holder),
          Effect.timeoutOption(patience),
          // A client that hangs up ends the work, and its answer goes the way that it went before.
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
          // A length that only the compression would tell may be left out (RFC 9110, 9.3.2).
          if (request.method === "HEAD") {
            return HttpServerResponse.setBody(encoded, HttpBody.stream(Stream.empty, body.contentType))
          }
          const bytes = body.body
          // Both forms are held for a while, and text becomes no larger.
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

/** What answers in JSON, text and CSV have; a Uint8Array of another type would be a file. */
const isText = /^(application\/(fhir\+)?json|text\/)/

/**
 * Compresses on threads of libuv, in slices; none if it fails. These levels bring a page of 4.9 MB over a line of 10 Mbit/s
 * soonest: zstd 2 (429 kB in 6 ms) and gzip 4 (576 kB in 27 ms). Neither is slower over 100 Mbit/s.
 *
 * The answer in zstd is one frame that tells the length of its content (RFC 8878, 3.1.1). A slice is written when the one
 * before it is done: if slices wait in the stream, Node adds an empty frame at the end, and Chromium 147 fails on data
 * that follows an empty frame.
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
