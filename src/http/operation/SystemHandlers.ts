import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Dependencies } from "../../services/operation/Dependencies.ts"
import { group } from "../wire/Group.ts"

export const SystemHandlers = group("system", function*(handlers) {
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
