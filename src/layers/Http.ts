import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AccountRoutes } from "../http/account/Room.ts"
import { Api } from "../http/Api.ts"
import { ConsentRoutes } from "../http/consent/Room.ts"
import { DocumentRoutes } from "../http/document/Room.ts"
import { ExportRoutes } from "../http/export/Room.ts"
import { FhirRoutes } from "../http/fhir/Room.ts"
import { LedgerRoutes } from "../http/ledger/Room.ts"
import { LinkRoutes } from "../http/link/Room.ts"
import { OAuthRoutes } from "../http/oauth/Room.ts"
import { OperationRoutes } from "../http/operation/Room.ts"
import { PatientRoutes } from "../http/patient/Room.ts"
import { RecordRoutes } from "../http/record/Room.ts"
import { ReleaseRoutes } from "../http/release/Room.ts"
import { ShapeRoutes } from "../http/shape/Room.ts"
import { Answers } from "../http/wire/Answers.ts"
import { ApiDocumentation } from "../http/wire/ApiDocumentation.ts"
import { AuthorizationLive } from "../http/wire/AuthorizationLive.ts"
import { ClientCrowd } from "../http/wire/ClientCrowd.ts"
import { Compression } from "../http/wire/Compression.ts"
import { RequestLimitsLive } from "../http/wire/RequestLimitsLive.ts"
import { RequestLog } from "../http/wire/RequestLog.ts"
import { Responses } from "../http/wire/Responses.ts"
import { SlowClients } from "../http/wire/SlowClients.ts"
import { ByteBudget } from "../services/platform/ByteBudget.ts"
import { Server } from "./Server.ts"

const Rooms = Layer.mergeAll(
  AccountRoutes,
  ConsentRoutes,
  DocumentRoutes,
  ExportRoutes,
  FhirRoutes,
  LedgerRoutes,
  LinkRoutes,
  OAuthRoutes,
  OperationRoutes,
  PatientRoutes,
  RecordRoutes,
  ReleaseRoutes,
  ShapeRoutes
).pipe(Layer.provide([AuthorizationLive, RequestLimitsLive]))

const Routes = Layer.mergeAll(HttpApiBuilder.layer(Api).pipe(Layer.provide(Rooms)), ApiDocumentation)

/** The only listener of the web process. Its routes come from the contract; case and slashes must match exactly. */
export const HttpLayer = HttpRouter.serve(Routes.pipe(Layer.provide(Responses)), {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false }
}).pipe(
  Layer.provideMerge(Server),
  Layer.provide([Compression.layer, Answers.layer]),
  Layer.provide(Layer.mergeAll(RequestLog.layer, ClientCrowd.layer, ByteBudget.layer, SlowClients.layer))
)
