import { Effect } from "effect"
import { createServer, type RequestListener, type ServerResponse } from "node:http"
import { isAnswered, misdirected } from "../../domain/HostName.ts"

/**
 * Listens for this machine alone until the scope closes. Returns undefined, or the reason if it cannot listen, which
 * begins with `what` and names the variable of the port. Only requests for one of the `hosts` reach the listener.
 */
export const listenHere = (
  listener: RequestListener,
  { hosts, port, variable, what }: {
    readonly hosts: ReadonlySet<string> | undefined
    readonly port: number
    readonly variable: string
    readonly what: string
  }
) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly close: () => void; readonly failed?: string }>((resume) => {
      const server = createServer(
        { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 5_000 },
        (request, response) => isAnswered(hosts, request.headers.host) ? listener(request, response) : refuse(response)
      )
      // Only people on this machine come here, so limits on idle, slow and many connections can be strict.
      server.maxConnections = 256
      server.timeout = 30_000
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      server.once("error", ({ code }: NodeJS.ErrnoException) => {
        const other = port === 65_535 ? 8085 : port + 1
        const why = code === "EADDRINUSE"
          ? `is taken: try ${variable}=${other} npm start`
          : `cannot be listened on (${code})`
        resume(Effect.succeed({ close, failed: `${what}, ${variable} ${port} ${why}` }))
      })
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed({ close })))
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ failed }) => failed))

const refuse = (response: ServerResponse) =>
  response.writeHead(421, {
    "cache-control": "no-store",
    "connection": "close",
    "content-length": Buffer.byteLength(otherHost),
    "content-type": "text/plain",
    "x-content-type-options": "nosniff"
  }).end(otherHost)

const otherHost = `${misdirected.message}\n`
