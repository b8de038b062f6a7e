import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Dependencies } from "../../services/operation/Dependencies.ts"
import { Api } from "../Api.ts"

export const SystemHandlers = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fn(function*(handlers) {
    const readiness = yield* Dependencies
    return handlers.handleAll({
      health: () => Effect.succeed({ status: "ok" as const }),
      ready: () =>
        Effect.map(
          readiness.check,
          (ready) => HttpServerResponse.jsonUnsafe(ready, { status: ready.status === "ok" ? 200 : 503 })
        )
    })
  })
)
