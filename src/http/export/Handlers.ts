import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Exported, Exports } from "../../services/export/Exports.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"
import { incomingOf } from "../wire/Http1.ts"

export const ExportHandlers = group("exports", function*(handlers) {
  const exports = yield* Exports
  return handlers.handleAll({
    make: forVeteran((veteranId, { request }, sessionId) =>
      Effect.map(exports.byVeteran({ veteranId, sessionId, abort: aborting(request) }), answer)
    )
  })
})

export const AdminExportHandlers = group("adminExports", function*(handlers) {
  const exports = yield* Exports
  return handlers.handleAll({
    make: ({ params, payload, request }) =>
      Effect.map(
        exports.byOperator({ veteranId: params.id, reason: payload.reason, abort: aborting(request) }),
        answer
      )
  })
})

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
