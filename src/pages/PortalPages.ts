import { Context, Effect, Layer } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createServer, type RequestListener } from "node:http"
import { constants, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { Settings } from "../services/platform/Settings.ts"
import { areCurrent, builtFrom, builtPages, mayBuild } from "./BuiltPages.ts"
import { pageHeaders } from "./Headers.ts"
import { answer, type PageConfiguration, readPages, type StaticPages } from "./StaticPages.ts"

/** The address of the portal's pages, or the reason why they are not served. */
export class PortalPages extends Context.Service<PortalPages, { readonly at: string } | { readonly not: string }>()(
  "vrss/pages/PortalPages"
) {
  /**
   * Serves the built pages on a second origin, to this machine only. In production the operator's web server serves
   * them. In development a child process builds them first, while the service already answers.
   */
  static readonly layer = Layer.effect(
    PortalPages,
    Effect.gen(function*() {
      const { environment, google, port, portalPort } = yield* Settings
      if (portalPort === undefined) return { not: "not served (PORTAL_PORT)" }
      const served = new ServedPages({ api: `http://localhost:${port}`, google: google !== undefined }, portalPort)
      const failed = yield* listen(served.listener, portalPort)
      if (failed !== undefined) {
        yield* Effect.logWarning(failed)
        return { not: failed }
      }
      yield* (environment === "development" ? build : Effect.void).pipe(
        Effect.ensuring(Effect.promise(() => served.read())),
        Effect.forkScoped
      )
      return { at: `http://localhost:${portalPort}` }
    })
  )
}

/** Serves the pages from memory and reads them again after each build. */
class ServedPages {
  private readonly configuration: PageConfiguration
  private readonly port: number
  private pages: StaticPages | undefined
  private builtFrom: string | undefined
  private preparing = true

  constructor(configuration: PageConfiguration, port: number) {
    this.configuration = configuration
    this.port = port
  }

  async read() {
    this.builtFrom = await builtFrom(builtPages)
    this.pages = await readPages(builtPages).catch(() => undefined)
    this.preparing = false
  }

  readonly listener: RequestListener = (request, response) => {
    void this.current(request.url!).then((pages) => {
      const { body, headers, status } = this.elsewhere(request.headers.host, request.url!) ??
        (pages === undefined ? this.notYet() : answer(pages, this.configuration, request))
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
      response.end(request.method === "HEAD" || status === 304 ? undefined : body)
    }).catch(() => response.destroy())
  }

  /** If a page is requested after a new build, all files are read again, so that the page and its assets match. */
  private async current(path: string) {
    if (!this.preparing && !path.startsWith("/assets/")) {
      const now = await builtFrom(builtPages)
      if (now !== undefined && now !== this.builtFrom) await this.read()
    }
    return this.pages
  }

  /** The service allows one origin (CORS), so 127.0.0.1 is redirected to localhost; the browser keeps the fragment. */
  private elsewhere(host: string | undefined, path: string) {
    if (host !== `127.0.0.1:${this.port}` || !/^\/(?!\/)/.test(path)) return
    const location = `http://localhost:${this.port}${path}`
    return { status: 308, headers: { ...this.common(), location }, body: "" }
  }

  private notYet() {
    const headers = { ...this.common(), "content-type": "text/plain", "retry-after": "1" }
    return this.preparing
      ? {
        status: 503,
        headers: { ...headers, refresh: "1" },
        body: "The pages are being built and will be shown here.\n"
      }
      : { status: 503, headers, body: "The pages are not built: npm run web:build\n" }
  }

  private common() {
    return { ...pageHeaders(this.configuration.api, false), "cache-control": "no-store" }
  }
}

/** Listens until the scope closes. Returns the reason if it cannot listen, otherwise undefined. */
const listen = (listener: RequestListener, port: number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly close: () => void; readonly failed?: string }>((resume) => {
      const server = createServer(
        { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 5_000 },
        listener
      )
      // Only people on this machine use these pages, so limits on idle, slow and many connections can be strict.
      server.maxConnections = 256
      server.timeout = 30_000
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      server.once("error", ({ code }: NodeJS.ErrnoException) => {
        const other = port === 65_535 ? 8081 : port + 1
        const why = code === "EADDRINUSE"
          ? `is taken: try PORTAL_PORT=${other} npm start`
          : `cannot be listened on (${code})`
        resume(Effect.succeed({ close, failed: `the pages are not served, PORTAL_PORT ${port} ${why}` }))
      })
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed({ close })))
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ failed }) => failed))

/** The service keeps running if the build fails; a log line says what to do. */
const build = Effect.gen(function*() {
  if (yield* Effect.promise(() => areCurrent(builtPages))) return
  if (!mayBuild()) {
    return yield* Effect.logWarning(
      "the portal's pages are not built: Vite is a development dependency, which npm ci installs without --omit=dev"
    )
  }
  const status = yield* Effect.scoped(Effect.flatMap(builder, (child) =>
    Effect.callback<number | null>((resume) => {
      child.once("error", () => resume(Effect.succeed(null))).once("exit", (code) => resume(Effect.succeed(code)))
    })))
  yield* status === 0
    ? Effect.logInfo("the portal's pages are built")
    : Effect.logWarning("the portal's pages could not be built: npm run web:build says why")
})

/** Builds in a child process of lower priority, so that the service stays responsive. The child gets no secret. */
const builder = Effect.acquireRelease(
  Effect.sync(() => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("../../web/build.ts", import.meta.url))], {
      env: { PATH: process.env["PATH"] },
      stdio: "ignore"
    })
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // Ignored: the child process has already ended, so it has no priority to change.
    }
    return child
  }),
  (child: ChildProcess) => Effect.sync(() => child.kill("SIGKILL"))
)
