import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { InvalidJson, PayloadTooLarge } from "../../domain/Errors.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { Releases } from "../../services/release/Releases.ts"
import { Api } from "../Api.ts"
import { CurrentVeteran } from "../Authorization.ts"
import { exactAddress } from "../ClientAddress.ts"
import { RequestBytes } from "../RequestLimits.ts"

export const RoiHandlers = HttpApiBuilder.group(
  Api,
  "roi",
  Effect.fn(function*(handlers) {
    const releases = yield* Releases
    const { trustedProxyHops } = yield* Settings
    return handlers
      // Each element is decoded by its own rule (AuthorizationRules.ts).
      .handleRaw("sign", () =>
        Effect.gen(function*() {
          const { sessionId, veteranId } = yield* CurrentVeteran
          const request = yield* HttpServerRequest.HttpServerRequest
          const bytes = yield* RequestBytes
          const sent = yield* Effect.try({
            try: () => JSON.parse(bytes.toString()) as unknown,
            catch: () => new InvalidJson()
          })
          if (bytes.length - drawingLength(sent) > 64 * 1024) return yield* new PayloadTooLarge()
          return yield* releases.sign(veteranId, sent, {
            id: sessionId,
            clientAddress: exactAddress(request, trustedProxyHops),
            userAgent: request.headers["user-agent"]?.slice(0, 500) ?? "none"
          })
        }))
      .handleAll({
        readiness: () => Effect.flatMap(CurrentVeteran, ({ veteranId }) => releases.readiness(veteranId)),
        revoke: {
          handler: ({ params }) =>
            Effect.flatMap(CurrentVeteran, ({ veteranId }) => releases.revoke(veteranId, params.documentId)),
          options: { uninterruptible: true }
        }
      })
  })
)

/** The limit of any other JSON body holds for what is beside the drawn signature. */
const drawingLength = (sent: unknown): number => {
  const drawing = Object(Object(sent).signature).drawnPng
  return typeof drawing === "string" ? drawing.length : 0
}
