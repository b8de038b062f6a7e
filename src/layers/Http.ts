import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Data, Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { VeteranAccountHandlers } from "../http/account/AccountHandlers.ts"
import { AppSignInHandlers, VaConfiguredLive } from "../http/account/AppSignInHandlers.ts"
import { DeletionHandlers } from "../http/account/DeletionHandlers.ts"
import { DeviceSessionsHandlers } from "../http/account/DeviceSessionHandlers.ts"
import { GoogleConditionsLive } from "../http/account/GoogleConditionsLive.ts"
import { GoogleHandlers } from "../http/account/GoogleHandlers.ts"
import { ProviderHandlers, VeteranHandlers, WaitlistHandlers } from "../http/account/Handlers.ts"
import { InvitationsHandlers } from "../http/account/InvitationHandlers.ts"
import { PasskeysHandlers } from "../http/account/PasskeyHandlers.ts"
import { PasswordHandlers } from "../http/account/PasswordHandlers.ts"
import { Api } from "../http/Api.ts"
import { ConsentHandlers } from "../http/consent/Handlers.ts"
import { SharingHandlers } from "../http/consent/SharingHandlers.ts"
import { DocumentsHandlers } from "../http/document/Handlers.ts"
import { AdminExportHandlers, ExportHandlers } from "../http/export/Handlers.ts"
import { FhirHandlers } from "../http/fhir/Handlers.ts"
import { DisclosuresHandlers } from "../http/ledger/DisclosureHandlers.ts"
import { DisclosureProofHandlers, DrainerHandlers, ProofsHandlers } from "../http/ledger/ProofHandlers.ts"
import { LinkRecipientHandlers, SecureLinksHandlers, SmartHealthLinksHandlers } from "../http/link/Handlers.ts"
import { noteRequest } from "../http/link/ViewReceiver.ts"
import { AuthorizeHandlers } from "../http/oauth/AuthorizeHandlers.ts"
import { OAuthClientsHandlers } from "../http/oauth/ClientsHandlers.ts"
import { OAuthMetadataHandlers } from "../http/oauth/MetadataHandlers.ts"
import { AnsweredByPageLive } from "../http/oauth/ProblemPages.ts"
import { OAuthTokenHandlers } from "../http/oauth/TokenHandlers.ts"
import { AdminHandlers } from "../http/operation/OperatorHandlers.ts"
import { SystemHandlers } from "../http/operation/SystemHandlers.ts"
import { PatientsHandlers } from "../http/patient/Handlers.ts"
import { HealthRecordHandlers, SelfReportedHandlers } from "../http/record/Handlers.ts"
import { ReleaseVerificationHandlers, RoiHandlers } from "../http/release/Handlers.ts"
import { ShapesHandlers } from "../http/shape/Handlers.ts"
import { ApiDocumentation } from "../http/wire/ApiDocumentation.ts"
import { AuthorizationLive } from "../http/wire/AuthorizationLive.ts"
import { ClientCrowd } from "../http/wire/ClientCrowd.ts"
import { Compression } from "../http/wire/Compression.ts"
import { HeldAnswers } from "../http/wire/HeldAnswers.ts"
import { decodeOperation } from "../http/wire/Http1.ts"
import { LargeAnswers } from "../http/wire/LargeAnswers.ts"
import { answerParserErrors } from "../http/wire/ParserErrors.ts"
import { RequestLimitsLive } from "../http/wire/RequestLimitsLive.ts"
import { RequestLog } from "../http/wire/RequestLog.ts"
import { Responses } from "../http/wire/Responses.ts"
import { SlowClients } from "../http/wire/SlowClients.ts"
import { ByteBudget } from "../services/platform/ByteBudget.ts"
import { Settings } from "../services/platform/Settings.ts"

const Handlers = Layer.mergeAll(
  SystemHandlers,
  VeteranHandlers,
  AppSignInHandlers,
  DeviceSessionsHandlers,
  PasskeysHandlers,
  DeletionHandlers,
  VeteranAccountHandlers,
  ExportHandlers,
  HealthRecordHandlers,
  SelfReportedHandlers,
  ConsentHandlers,
  SharingHandlers,
  DocumentsHandlers,
  RoiHandlers,
  ReleaseVerificationHandlers,
  SecureLinksHandlers,
  LinkRecipientHandlers,
  SmartHealthLinksHandlers,
  DisclosuresHandlers,
  ShapesHandlers,
  ProviderHandlers,
  PasswordHandlers,
  InvitationsHandlers,
  GoogleHandlers,
  PatientsHandlers,
  FhirHandlers,
  ProofsHandlers,
  DisclosureProofHandlers,
  DrainerHandlers,
  AdminHandlers,
  AdminExportHandlers,
  WaitlistHandlers,
  OAuthClientsHandlers,
  OAuthMetadataHandlers,
  OAuthTokenHandlers,
  AuthorizeHandlers
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(AuthorizationLive, RequestLimitsLive, GoogleConditionsLive, VaConfiguredLive, AnsweredByPageLive)
  )
)

const Routes = Layer.mergeAll(HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers)), ApiDocumentation)

class ListenFailed
  extends Data.TaggedError("ListenFailed")<{ readonly port: number; readonly code?: string | undefined }>
{
  override get message() {
    if (this.code === "EADDRINUSE") {
      const other = this.port === 65_535 ? 8080 : this.port + 1
      return `PORT ${this.port} is taken (EADDRINUSE): stop what listens there, or try PORT=${other} npm start`
    }
    return `PORT (or HOST) cannot be listened on: ${this.code ?? "refused"}`
  }
}

/** Removes the services from a request's context, because the routes already hold them (Group.ts). */
const withoutServices = <Services>({ mapUnsafe }: Context.Context<never>) =>
  Context.makeUnsafe<Services>(new Map(Array.from(mapUnsafe).filter(([key]) => !key.startsWith("vrss/"))))

const Server = Layer.unwrap(Effect.gen(function*() {
  const { host, port, production } = yield* Settings
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 300_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000
  })
  const crowd = yield* ClientCrowd
  crowd.bound(server)
  const slowClients = yield* SlowClients
  slowClients.watchAnswers(server)
  answerParserErrors(server, yield* RequestLog, production)
  // An `Expect` other than 100-continue may be ignored (RFC 9110, 10.1.1). Node's default is a 417 without our body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  // While the service shuts down, each connection closes after its answer, because the process waits for all of them.
  const endWithAnswer = (request: IncomingMessage, response: ServerResponse) => {
    response.once("finish", () => server.listening ? undefined : request.socket.destroySoon())
  }
  server.on("request", decodeOperation).on("checkContinue", decodeOperation)
  server.on("request", endWithAnswer).on("checkContinue", endWithAnswer)
  server.on("request", noteRequest).on("checkContinue", noteRequest)
  const listening = NodeHttpServer.make(() => server, { port, host, gracefulShutdownTimeout: Duration.seconds(20) })
    .pipe(
      Effect.map(({ address, serve }) =>
        HttpServer.make({ address, serve: (app) => Effect.updateContext(serve(app), withoutServices) })
      ),
      Effect.catchTag(
        "ServeError",
        ({ cause }) => Effect.fail(new ListenFailed({ port, code: (cause as NodeJS.ErrnoException).code }))
      )
    )
  return Layer.merge(Layer.effect(HttpServer.HttpServer, listening), NodeHttpServer.layerHttpServices)
}))

/** The only listener of the web process. Its routes come from the contract; case and slashes must match exactly. */
export const HttpLayer = HttpRouter.serve(Routes.pipe(Layer.provide(Responses)), {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false }
}).pipe(
  Layer.provideMerge(Server),
  Layer.provide([Compression.layer, LargeAnswers.layer]),
  Layer.provide(HeldAnswers.layer),
  Layer.provide(Layer.mergeAll(RequestLog.layer, ClientCrowd.layer, ByteBudget.layer, SlowClients.layer))
)
