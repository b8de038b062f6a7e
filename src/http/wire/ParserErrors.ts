import { type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { newId } from "../../services/platform/Ids.ts"
import type { RequestLog } from "./RequestLog.ts"
import { securityHeaders } from "./Responses.ts"

/** Requests that Node's parser refuses reach no route, but get the error body, the headers and a log line. */
export const answerParserErrors = (server: Server, log: RequestLog["Service"], production: boolean) => {
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket & { readonly _httpMessage?: ServerResponse | null }
    // An answer that has begun cannot become an error body, so the connection is ended, as Node's handler does it.
    if (!socket.writable || socket._httpMessage?.headersSent === true) {
      socket.destroy()
      return
    }
    const status = statuses[error.code ?? ""] ?? 400
    const requestId = newId()
    const body = JSON.stringify({
      ...(status === 408
        ? { error: "request_timeout", message: "The request did not arrive in time." }
        : {
          error: "invalid_request",
          message: "The request is not HTTP/1.1 that this server takes.",
          issues: [{ path: [], message: STATUS_CODES[status] }]
        }),
      requestId
    })
    const headers = {
      "connection": "close",
      "content-length": Buffer.byteLength(body),
      "content-type": "application/json",
      "x-request-id": requestId,
      ...securityHeaders(production)
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")
    log.write({ route: "unmatched", method: "unknown", status, ms: 0, requestId })
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`, () => socket.destroy())
  })
}

const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431
}
