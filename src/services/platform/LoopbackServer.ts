import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"

/**
 * Listens for this machine alone until the scope closes. Returns undefined, or the reason if it cannot listen, which
 * begins with `what` and names the variable of the port.
 */
export const listenHere = (
  listener: RequestListener,
  { port, variable, what }: { readonly port: number; readonly variable: string; readonly what: string }
) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly close: () => void; readonly failed?: string }>((resume) => {
      const server = createServer(
        { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 5_000 },
        listener
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
