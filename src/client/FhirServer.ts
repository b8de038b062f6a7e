import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Layer, Option, Predicate, Schema } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Fs from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import { gunzipSync } from "node:zlib"
import { isAnswered, misdirected, namesOf } from "../domain/HostName.ts"
import { memberText } from "./FhirBundle.ts"
import { fhirJson, outcomeText, searchPage } from "./SearchPage.ts"

/** The response that a fault sends. A body that is neither text nor bytes is sent as JSON. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

/** A step of a type's script. The first step that matches a request answers it; otherwise resources are sent. */
export interface Fault {
  /** Page to match, counted from 1; by default every page. */
  readonly page?: number | undefined
  /** Number of matching requests to answer; by default all. */
  readonly times?: number | undefined
  /** `hang` never answers; `cut` sends half of the page and closes the connection. */
  readonly answer: Answer | "hang" | "cut"
}

export interface ReceivedRequest {
  readonly resourceType: string
  readonly page: number
  readonly url: string
  readonly authorization: string | undefined
}

/**
 * A FHIR R4 search server for tests and the demo. A patient is a folder `<slug>` with files `<Type>.ndjson.gz` and a
 * `patient.json`. The server answers `GET {baseUrl}/{Type}?patient={slug}&_count=&page=` with any bearer token, and
 * sends the resources byte for byte.
 */
export class FhirServer extends Context.Service<FhirServer, {
  readonly baseUrl: string
  /** Replaces the script of a type. An empty script ends its faults. */
  readonly script: (resourceType: string, faults: ReadonlyArray<Fault>) => Effect.Effect<void>
  /** The requests so far, oldest first. */
  readonly requests: Effect.Effect<ReadonlyArray<ReceivedRequest>>
}>()("vrss/client/FhirServer") {
  /** With `cors`, pages of any origin may search. */
  static readonly layer = (
    options: { readonly folder: string; readonly port?: number | undefined; readonly cors?: boolean | undefined }
  ) => Layer.effect(FhirServer, listen(options))
}

const listen = Effect.fnUntraced(
  function*({ cors = false, folder, port = 0 }: Parameters<typeof FhirServer["layer"]>[0]) {
    const node = createServer()
    const server = yield* NodeHttpServer.make(() => node, { host: "127.0.0.1", port, disablePreemptiveShutdown: true })
    // A client that still waits or keeps its connection alive would delay shutdown.
    yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
    const baseUrl = `${HttpServer.formatAddress(server.address)}/fhir`
    const scripts = new Map<string, Array<{ readonly fault: Fault; left: number }>>()
    const requests: Array<ReceivedRequest> = []

    const takeFault = (resourceType: string, page: number) => {
      const step = scripts.get(resourceType)?.find(({ fault, left }) => left > 0 && (fault.page ?? page) === page)
      if (step !== undefined) step.left--
      return step?.fault.answer
    }

    const handle = Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { pathname, searchParams } = new URL(request.url, baseUrl)
      const resourceType = /^\/fhir\/([A-Z][A-Za-z]{1,63})$/.exec(pathname)?.[1]
      if (!isAnswered(loopback, request.headers["host"])) return outcome(421, "not-supported", misdirected.message)
      if (cors && request.method === "OPTIONS") return HttpServerResponse.empty()
      if (request.method !== "GET" || resourceType === undefined) return outcome(404, "not-found", "Unknown address")
      const { authorization } = request.headers
      const query = decodeQuery(Object.fromEntries(searchParams))
      const { _count: count, page, patient } = Option.getOrElse(query, () => ({ patient: "", _count: 0, page: 1 }))
      requests.push({ resourceType, page, url: request.url, authorization })

      const fault = takeFault(resourceType, page)
      if (fault === "hang") return yield* Effect.never
      if (fault !== undefined && fault !== "cut") return answered(fault)

      if (!/^Bearer \S+$/i.test(authorization ?? "")) return outcome(401, "login", "Expected a bearer token")
      if (Option.isNone(query)) return outcome(400, "invalid", "Expected patient, and _count and page from 1")
      const found = yield* Effect.promise(() => searchPage({ folder, baseUrl, patient, resourceType, count, page }))
      if (found === "unknown") return outcome(404, "not-found", "Unknown patient")
      if (found === "missing") return outcome(503, "transient", `${resourceType} cannot be loaded`)
      const body = Buffer.from(found)
      return fault === "cut"
        ? yield* cut(request, body)
        : HttpServerResponse.uint8Array(body, { contentType: fhirJson })
    })

    // Without a router a handler is uninterruptible, so a handler with the fault `hang` would never end.
    const answers = cors ? Effect.map(handle, HttpServerResponse.setHeaders(anyOrigin)) : handle
    yield* HttpServer.serveEffect(Effect.interruptible(answers)).pipe(
      Effect.provideService(HttpServer.HttpServer, server)
    )
    return FhirServer.of({
      baseUrl,
      requests: Effect.sync(() => [...requests]),
      script: (resourceType, faults) =>
        Effect.sync(() => {
          scripts.set(resourceType, faults.map((fault) => ({ fault, left: fault.times ?? Infinity })))
        })
    })
  }
)

const loopback = namesOf([])

const Positive = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 100_000 }))

const decodeQuery = Schema.decodeUnknownOption(Schema.Struct({
  patient: Schema.String,
  _count: Positive.pipe(Schema.withDecodingDefaultKey(Effect.succeed("100"))),
  page: Positive.pipe(Schema.withDecodingDefaultKey(Effect.succeed("1")))
}))

const outcome = (status: number, code: string, diagnostics: string) =>
  HttpServerResponse.text(outcomeText(code, diagnostics), { status, contentType: fhirJson })

const answered = ({ body, headers = {}, status }: Answer) => {
  const contentType = headers["content-type"] ?? fhirJson
  return Predicate.isUint8Array(body)
    ? HttpServerResponse.uint8Array(body, { status, headers, contentType })
    : HttpServerResponse.text(Predicate.isString(body) ? body : body === undefined ? "" : JSON.stringify(body), {
      status,
      headers,
      contentType
    })
}

const anyOrigin = { "access-control-allow-origin": "*", "access-control-allow-headers": "authorization" }

/** Sends half of the announced body. Effect's response cannot do that, so this writes to Node's response. */
const cut = (request: HttpServerRequest.HttpServerRequest, body: Buffer) =>
  Effect.callback<never>(() => {
    const response = NodeHttpServerRequest.toServerResponse(request) as ServerResponse
    response.writeHead(200, { "content-type": fhirJson, "content-length": body.length })
    response.write(body.subarray(0, body.length >> 1), () => response.destroy())
  })

const decodeRecorded = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  body: Schema.Unknown
})))

/** Headers that belong to the recorded connection, not to the answer. */
const connectionHeaders = ["connection", "content-length", "date", "transfer-encoding"]

/** Reads a recorded answer, `{status, headers, body}` in a .json or .json.gz file. A JSON body keeps its exact text. */
export const recordedAnswer = (path: string): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const file = await Fs.readFile(path)
    const text = (path.endsWith(".gz") ? gunzipSync(file) : file).toString()
    const { body, headers, status } = decodeRecorded(text)
    const kept = Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), Predicate.isString(value) ? value : value.join(", ")] as const)
      .filter(([name]) => !connectionHeaders.includes(name))
    return {
      status,
      headers: Object.fromEntries(kept),
      body: Predicate.isString(body) ? body : memberText(text, "body")
    }
  })
