import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { JsonBytes } from "../../services/record/JsonBytes.ts"

export const jsonAnswer = (json: JsonBytes, contentType = "application/json") =>
  Effect.map(json.toBuffer(), (bytes) => HttpServerResponse.uint8Array(bytes, { contentType }))
