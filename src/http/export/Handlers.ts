import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Exported, Exports } from "../../services/export/Exports.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"
import { incomingOf } from "../wire/Http1.ts"
import { SlowClients } from "../wire/SlowClients.ts"

export const ExportHandlers = group("exports", function*(handlers) {
  const exports = yield* Exports
  const hasten = hasteningBy(yield* SlowClients)
  return handlers.handleAll({
    make: forVeteran((veteranId, { request }, sessionId) =>
      hasten(request).pipe(
        Effect.andThen(exports.byVeteran({ veteranId, sessionId, abort: aborting(request) })),
        Effect.map(answer)
      )
    )
  })
})

export const AdminExportHandlers = group("adminExports", function*(handlers) {
  const exports = yield* Exports
  const hasten = hasteningBy(yield* SlowClients)
  return handlers.handleAll({
    make: ({ params, payload, request }) =>
      hasten(request).pipe(
        Effect.andThen(
          exports.byOperator({ veteranId: params.id, reason: payload.reason, abort: aborting(request) })
        ),
        Effect.map(answer)
      )
  })
})

/** An export that is read keeps one of a few places, so it may not be read for ever. */
const hasteningBy = ({ watchReader }: SlowClients["Service"]) => (request: HttpServerRequest.HttpServerRequest) =>
  Effect.acquireRelease(Effect.sync(() => watchReader(incomingOf(request))), (unwatch) => Effect.sync(unwatch))

/** A reset also drops what the kernel holds for the client. */
const aborting = (request: HttpServerRequest.HttpServerRequest) => {
  const { socket } = incomingOf(request)
  return () => void socket.resetAndDestroy()
}

/** The file's name says when it was made, and not whose it is. */
const answer = ({ content, moment }: Exported) =>
  HttpServerResponse.stream(content, {
    contentType: "application/zip",
    headers: {
      "content-disposition": `attachment; filename="veteran-records-${moment.toISOString().slice(0, 10)}.zip"`
    }
  })
