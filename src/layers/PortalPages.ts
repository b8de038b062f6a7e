import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse, HttpStaticServer } from "effect/http"
import { createServer } from "node:http"
import { builtPages } from "../../web/build.ts"
import { cacheControl, pageHeaders } from "../../web/headers.ts"
import { Settings } from "../services/platform/Settings.ts"

/** Serves the built pages of the portal on an origin of their own, as the operator's web server does in production. */
export const PortalPages = Layer.unwrap(Effect.gen(function*() {
  const { google, port, portalPort } = yield* Settings
  if (portalPort === undefined) return Layer.empty
  const api = `http://localhost:${port}`
  const withHeaders = HttpRouter.middleware(
    (app) =>
      Effect.zipWith(
        app,
        HttpServerRequest.HttpServerRequest,
        (response, { url }) =>
          HttpServerResponse.setHeaders(response, {
            ...pageHeaders(api, false),
            "cache-control": cacheControl(new URL(url, api).pathname)
          })
      ),
    { global: true }
  )
  const files = HttpStaticServer.layer({ root: builtPages })
  const configuration = HttpRouter.add(
    "GET",
    "/config.json",
    HttpServerResponse.jsonUnsafe({ api, google: google !== undefined })
  )
  return HttpRouter.serve(Layer.mergeAll(files, configuration, page("link"), page("verify"), withHeaders), {
    disableListenLog: true,
    disableLogger: true
  }).pipe(Layer.provide(NodeHttpServer.layer(createServer, { port: portalPort, host: "localhost" })))
}))

/** Links name the pages without the ending of their files. */
const page = (name: "link" | "verify") =>
  HttpRouter.add("GET", `/${name}`, HttpServerResponse.file(`${builtPages}/${name}.html`))
