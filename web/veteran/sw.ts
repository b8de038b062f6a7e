/**
 * The service worker: it opens the app's pages without a connection. The build writes the list of its files into this
 * script (web/vite.config.ts), which has neither imports nor exports. No answer of the service or of the VA is ever
 * in its cache.
 */
declare const BUILD: { readonly id: string; readonly files: ReadonlyArray<string> }

/** The part of service workers used here. TypeScript's types for pages lack it. */
interface Extendable extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void
}

interface Fetching extends Extendable {
  readonly request: Request
  readonly respondWith: (response: Promise<Response>) => void
}

interface Scope {
  readonly skipWaiting: () => Promise<void>
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void
}

const scope = globalThis as unknown as Scope

const prefix = "vrss-shell-"

const own = prefix + BUILD.id

/** Milliseconds after which a page that does not come is taken from the cache. */
const patience = 5_000

scope.addEventListener("install", (event) => {
  const files = BUILD.files.map((file) => new Request(file, { cache: "no-cache" }))
  event.waitUntil(caches.open(own).then((cache) => cache.addAll(files)))
})

scope.addEventListener("activate", (event) =>
  event.waitUntil(
    caches.keys().then((names) =>
      Promise.all(names.filter((name) => name.startsWith(prefix) && name !== own).map((name) => caches.delete(name)))
    )
  ))

// A page says when nothing would be lost by a new build.
scope.addEventListener("message", ({ data }) => data === "admit" ? void scope.skipWaiting() : undefined)

const kept = async (path: string) => (await caches.open(own)).match(path, { ignoreVary: true })

/** The newest page or, if the server is away or slow, the page of this build. */
const page = async (request: Request) => {
  const answer = await fetch(request, { signal: AbortSignal.timeout(patience) }).catch(() => undefined)
  return answer?.ok === true ? answer : await kept("/") ?? answer ?? Response.error()
}

const file = async (request: Request, path: string) => await kept(path) ?? fetch(request)

scope.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  // A return from the VA has a query: neither it nor any other request with one is touched.
  if (method !== "GET" || origin !== location.origin || url.includes("?")) return
  if (mode === "navigate") {
    if (pathname === "/") event.respondWith(page(event.request))
  } else if (pathname !== "/" && BUILD.files.includes(pathname)) {
    event.respondWith(file(event.request, pathname))
  }
})
