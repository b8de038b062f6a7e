import { Effect } from "effect"
import type { RequestListener } from "node:http"
import { listenHere } from "../services/platform/LoopbackServer.ts"
import { Settings } from "../services/platform/Settings.ts"
import { builtFrom } from "./BuiltPages.ts"
import { buildSite } from "./SiteBuild.ts"
import type { Site } from "./Sites.ts"
import { answer, type PageConfiguration, readPages, type StaticPages } from "./StaticPages.ts"

/**
 * Serves the built pages on a separate origin, to this machine only. In production the operator's web server
 * serves them. In development a child process builds them first, while the service already answers.
 */
export const serveSite = Effect.fn("serveSite")(
  function*(site: Site, port: number, configuration: PageConfiguration) {
    const { answeredHosts: hosts, environment } = yield* Settings
    const served = new ServedPages(site, port, configuration)
    const failed = yield* listenHere(served.listener, {
      hosts,
      port,
      variable: site.portVariable,
      what: "the pages are not served"
    })
    if (failed !== undefined) {
      yield* Effect.logWarning(failed)
      return { not: failed }
    }
    yield* (environment === "development" ? buildSite(site) : Effect.void).pipe(
      Effect.ensuring(Effect.promise(() => served.read())),
      Effect.forkScoped
    )
    return { at: `http://localhost:${port}` }
  }
)

/** Serves the pages from memory and reads them again after each build. */
class ServedPages {
  private readonly site: Site
  private readonly port: number
  private readonly configuration: PageConfiguration
  private pages: StaticPages | undefined
  private builtFrom: string | undefined
  private preparing = true

  constructor(site: Site, port: number, configuration: PageConfiguration) {
    this.site = site
    this.port = port
    this.configuration = configuration
  }

  async read() {
    this.builtFrom = await builtFrom(this.site.folder)
    this.pages = await readPages(this.site.folder).catch(() => undefined)
    this.preparing = false
  }

  readonly listener: RequestListener = (request, response) => {
    void this.current(request.url!).then((pages) => {
      const { body, headers, status } = this.elsewhere(request.headers.host, request.url!) ??
        (pages === undefined ? this.notYet() : answer(pages, this.site, this.configuration, request))
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
      response.end(request.method === "HEAD" || status === 304 ? undefined : body)
    }).catch(() => response.destroy())
  }

  /** If a page is requested after a new build, all files are read again, so that the page and its assets match. */
  private async current(path: string) {
    if (!this.preparing && !path.startsWith("/assets/")) {
      const now = await builtFrom(this.site.folder)
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
      : { status: 503, headers, body: "The pages are not built: npm run build\n" }
  }

  private common() {
    return { ...this.configuration.headers("/"), "cache-control": "no-store" }
  }
}
