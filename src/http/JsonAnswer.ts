import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { JsonBytes } from "../services/record/JsonBytes.ts"
import { acceptedCoding } from "./Accept.ts"

/**
 * Answers a page of a record. Who likes zstd best gets what is stored as zstd frames as it is, and the rest compressed
 * (Compression.ts); only items that the reader may see are in the page, so that its length tells of nothing else.
 */
export const jsonAnswer = Effect.fnUntraced(function*(
  request: HttpServerRequest.HttpServerRequest,
  json: JsonBytes,
  contentType = "application/json"
) {
  return json.hasFrames && acceptedCoding(request) === "zstd"
    ? HttpServerResponse.uint8Array(yield* json.toZstd(), { contentType, headers: { "content-encoding": "zstd" } })
    : HttpServerResponse.uint8Array(yield* json.toBuffer(), { contentType })
})
