import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { atEnd } from "../../../support/App.ts"
import { syncPath } from "../../../support/Sync.ts"

/** `lost` passes the sync on, and cuts the connection before its answer. `held` never passes it on. */
type Fault = "lost" | "held" | {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A proxy before the service. It notes the bodies of syncs, and may spoil their answers, one after another. */
export const openGate = async (service: { readonly url: string }) => {
  const faults: Array<Fault> = []
  let refused: string | undefined
  let ended = 0
  const bodies: Array<Buffer> = []
  const answers: Array<number> = []
  const tokens: Array<string | undefined> = []
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const isSync = request.url === syncPath && request.method === "POST"
    if (request.method !== "OPTIONS") tokens.push(request.headers.authorization)
    if (isSync) bodies.push(body)
    if (isSync) response.once("close", () => ended++)
    const isRefused = isSync && refused !== undefined && refused in parsed(body).fhirResourceFetchStatuses
    const refusal: Fault | undefined = isRefused ? { status: 400, body: { error: "invalid_request" } } : undefined
    const fault = isSync ? faults.shift() ?? refusal : undefined
    if (fault === "held") return
    if (fault !== undefined && fault !== "lost") {
      response.writeHead(fault.status, {
        "access-control-allow-origin": request.headers.origin ?? "*",
        "access-control-expose-headers": "retry-after",
        "content-type": "application/json",
        ...fault.headers
      })
      return void response.end(JSON.stringify(fault.body ?? {}))
    }
    const { connection: _, host: __, "content-length": ___, ...headers } = request.headers
    const answer = await fetch(service.url + request.url!, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {})
    })
    const text = Buffer.from(await answer.arrayBuffer())
    if (isSync) answers.push(answer.status)
    const { "content-encoding": ____, "transfer-encoding": _____, ...told } = Object.fromEntries(answer.headers)
    // A browser sends a request again by itself if it gets no byte of an answer.
    if (fault === "lost") {
      response.writeHead(answer.status, { ...told, "content-length": 1000 })
      return void response.write("{", () => response.destroy())
    }
    response.writeHead(answer.status, { ...told, "content-length": text.length }).end(text)
  }
  await once(server.listen(0, "localhost"), "listening")
  atEnd(() => server.close().closeAllConnections())
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** The next syncs meet these, one each. */
    spoil: (...next: ReadonlyArray<Fault>) => void faults.push(...next),
    /** Every sync that names the type is refused. */
    refuse: (resourceType: string) => void (refused = resourceType),
    /** The number of syncs whose connection carries nothing more. */
    ended: () => ended,
    /** The bodies of all syncs so far, as they came over the wire. */
    bodies,
    /** The service's statuses for the syncs that were passed on. */
    answers,
    /** The authorization header of each request. */
    tokens
  }
}

export const parsed = (body: Buffer): {
  readonly fhirResourceFetchStatuses: Record<string, string>
  readonly unchanged: Record<string, string>
  readonly resources: Record<string, ReadonlyArray<unknown>>
} => JSON.parse(gunzipSync(body).toString())
