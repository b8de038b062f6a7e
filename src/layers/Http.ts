import { NodeHttpServer } from "@effect/platform-node"
import { Duration, Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter } from "effect/http"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { createServer } from "node:http"
import { AdminHandlers } from "../http/admin/Handlers.ts"
import { Api } from "../http/Api.ts"
import { AuthorizationLive } from "../http/AuthorizationLive.ts"
import { ConsentHandlers } from "../http/consent/Handlers.ts"
import { HealthRecordHandlers } from "../http/health-record/Handlers.ts"
import { PatientsHandlers } from "../http/patients/Handlers.ts"
import { ProviderHandlers } from "../http/provider/Handlers.ts"
import { RequestLimitsLive } from "../http/RequestLimitsLive.ts"
import { RequestLog } from "../http/RequestLog.ts"
import { Responses } from "../http/Responses.ts"
import { SelfReportedHandlers } from "../http/self-reported/Handlers.ts"
import { SystemHandlers } from "../http/system/Handlers.ts"
import { VeteranHandlers } from "../http/veteran/Handlers.ts"
import { WaitlistHandlers } from "../http/waitlist/Handlers.ts"
import { Settings } from "../services/Settings.ts"

const Handlers = Layer.mergeAll(
  SystemHandlers,
  VeteranHandlers,
  HealthRecordHandlers,
  SelfReportedHandlers,
  ConsentHandlers,
  ProviderHandlers,
  PatientsHandlers,
  AdminHandlers,
  WaitlistHandlers
).pipe(Layer.provideMerge(Layer.mergeAll(AuthorizationLive, RequestLimitsLive)))

const Cors = HttpRouter.middleware(
  Effect.map(Settings, ({ portalOrigins }) =>
    HttpMiddleware.cors({
      // A function: with an empty list the library would admit every origin.
      allowedOrigins: (origin) => portalOrigins.includes(origin),
      allowedMethods: ["GET", "POST", "PATCH", "DELETE"],
      allowedHeaders: ["authorization", "content-type"],
      exposedHeaders: ["retry-after", "x-request-id"],
      maxAge: 600
    })),
  { global: true }
)

const Routes = Layer.mergeAll(
  HttpApiBuilder.layer(Api, { openapiPath: "/api/openapi.json" }).pipe(Layer.provide(Handlers)),
  HttpApiScalar.layer(Api, { path: "/api/docs" })
)

const Server = Layer.unwrap(Effect.map(Settings, ({ host, port }) =>
  NodeHttpServer.layer(
    () => createServer({ headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 65_000 }),
    { port, host, gracefulShutdownTimeout: Duration.seconds(20) }
  )))

/** The web process: one listener, routes from the contract alone, case and slashes exact. */
export const HttpLayer = HttpRouter.serve(Routes.pipe(Layer.provide([Responses, Cors])), {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false }
}).pipe(Layer.provideMerge(Server), Layer.provide(RequestLog.layer))
