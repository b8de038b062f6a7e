import { createServer } from "node:http"
import { listening } from "./Servers.ts"

interface Attribute {
  readonly key: string
  readonly value: Record<string, unknown>
}

export interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly status: { readonly code: number; readonly message?: string }
}

/** How a collector treats a request: it accepts the request, refuses it, or never answers. */
type Manner = "takes" | "refuses" | "hangs"

/** Receives and keeps traces and log lines as an OpenTelemetry collector does (OTLP over HTTP, in JSON). */
export const openCollector = async () => {
  const received: Array<{ readonly path: string; readonly headers: Record<string, unknown>; readonly text: string }> =
    []
  let manner: Manner = "takes"
  let asked = 0
  const server = await listening(createServer(async (request, response) => {
    asked++
    if (manner === "hangs") return
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    if (manner === "takes") {
      received.push({ path: request.url!, headers: request.headers, text: Buffer.concat(chunks).toString() })
    }
    response.writeHead(manner === "takes" ? 200 : 500, { "content-type": "application/json" }).end("{}")
  }))
  const bodies = (path: string) => received.filter((one) => one.path === path).map(({ text }) => JSON.parse(text))
  return {
    ...server,
    become: (next: Manner) => void (manner = next),
    asked: () => asked,
    received,
    spans: (): ReadonlyArray<Span> =>
      bodies("/v1/traces").flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans),
    lines: (): ReadonlyArray<
      { readonly attributes: ReadonlyArray<Attribute>; readonly severityText: string; readonly traceId?: string }
    > =>
      bodies("/v1/logs").flatMap(({ resourceLogs }) => resourceLogs)
        .flatMap(({ scopeLogs }) => scopeLogs).flatMap(({ logRecords }) => logRecords)
  }
}

/** Returns an attribute's value, which may have any type. */
export const attribute = ({ attributes }: { readonly attributes: ReadonlyArray<Attribute> }, key: string) =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0]
