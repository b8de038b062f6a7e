import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Data, Duration, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { noteRequest } from "../http/link/ViewReceiver.ts"
import { ClientCrowd } from "../http/wire/ClientCrowd.ts"
import { decodeOperation } from "../http/wire/Http1.ts"
import { answerParserErrors } from "../http/wire/ParserErrors.ts"
import { RequestLog } from "../http/wire/RequestLog.ts"
import { SlowClients } from "../http/wire/SlowClients.ts"
import { Settings } from "../services/platform/Settings.ts"

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

/** Node's server, listening. */
export const Server = Layer.unwrap(Effect.gen(function*() {
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
