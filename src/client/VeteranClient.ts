import { Effect, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { hash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Conflict, SyncRequired } from "../domain/Errors.ts"
import { SyncResult } from "../domain/HealthRecord.ts"
import { syncLimits } from "../domain/SyncLimits.ts"
import { digestedText } from "../domain/TypeDigest.ts"
import { apiClient } from "./ApiClient.ts"
import { type FetchedType, FhirReader, type FhirSource, type ReadOptions } from "./FhirReader.ts"
import { bodyText, firstBody, fittingResources, type SizedType } from "./SyncBodies.ts"

const maxRetries = 5

/** Does what a phone does: signs its veteran in, reads the record upstream, and synchronises it. */
export const signIn = Effect.fn("VeteranClient.signIn")(function*(
  options: {
    readonly baseUrl: string
    readonly exchangeSecret: Redacted.Redacted
    readonly vaPatientId: string
    /** The maximum size of one sync in bytes; by default the contract's limit. */
    readonly maxSyncBytes?: number | undefined
  }
) {
  const { baseUrl, exchangeSecret, vaPatientId, maxSyncBytes = syncLimits.bytes } = options
  const { accessToken, veteran } = yield* (yield* apiClient(baseUrl, { exchangeSecret })).veteranSession.exchange({
    payload: { vaPatientId }
  })
  const token = Redacted.make(accessToken)
  const http = yield* HttpClient.HttpClient
  const api = yield* apiClient(baseUrl, { veteranToken: token })

  /** Sends the types in one sync. A type in `digests` is sent as its digest only. */
  const sendOnce = Effect.fnUntraced(function*(types: ReadonlyArray<SizedType>, digests: ReadonlyMap<string, string>) {
    // The typed client would serialise every resource again and turn `1.00` into `1`.
    const body = yield* Effect.promise(() => promisify(gzip)(bodyText(types, digests)))
    return yield* HttpClientRequest.post(`${baseUrl}/api/veteran/me/health-record/sync`).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.setHeader("content-encoding", "gzip"),
      HttpClientRequest.bodyUint8Array(body, "application/json"),
      http.execute
    )
  })

  /** Many bodies may exceed the limit of syncs per minute, or others may want the place. `send` then waits as told. */
  const send = Effect.fnUntraced(function*(...sent: Parameters<typeof sendOnce>) {
    let response = yield* sendOnce(...sent)
    for (let retry = 0; retry < maxRetries; retry++) {
      const seconds = Number(response.headers["retry-after"])
      if (response.status !== 429 && !(response.status === 503 && seconds > 0)) break
      yield* Effect.sleep(`${seconds || 1} seconds`)
      response = yield* sendOnce(...sent)
    }
    return response
  })

  /**
   * Types that the service already has completely are sent as digests, so that an unchanged record costs only some
   * kilobytes. If the rest does not fit into one sync, several are sent. The service merges each type separately, so
   * the outcome equals that of one sync. If a sync fails, the earlier syncs stay stored; repeating all is harmless.
   */
  const synchronise = Effect.fn("VeteranClient.synchronise")(function*(fetched: ReadonlyArray<FetchedType>) {
    const sizes = fetched.map((type) => fittingResources(type, maxSyncBytes))
    const manifest = yield* api.healthRecord.manifest({ params: { veteranId: "me" } })
    const known = sizes.filter(({ type: { resourceType, status } }) => {
      const state = manifest[resourceType]?.state
      return status === "complete" && (state === "complete" || state === "stale")
    })
    const digests = new Map(known.map(({ type: { resourceType, resources } }) => [resourceType, digestOf(resources)]))
    let waiting: ReadonlyArray<SizedType> = sizes.map(({ type }) => type)
    let merged: SyncResult = { manifest, results: {} }
    while (waiting.length > 0) {
      const body = firstBody(waiting, digests, maxSyncBytes)
      const response = yield* send(body, digests)
      if (response.status === 409) {
        const required = yield* HttpClientResponse.schemaBodyJson(SyncRefused)(response)
        if (required._tag === "Conflict") return yield* required
        // A 409 names types to send in full, not as digests. So each retry has fewer digests, and the loop ends.
        if (required.resourceTypes.filter((type) => digests.delete(type)).length === 0) return yield* required
        continue
      }
      const answer = yield* HttpClientResponse.filterStatusOk(response)
      const { manifest, results } = yield* HttpClientResponse.schemaBodyJson(SyncResult)(answer)
      merged = { manifest, results: { ...merged.results, ...results } }
      waiting = waiting.slice(body.length)
    }
    return { ...merged, notices: sizes.flatMap(({ notice }) => notice ?? []) }
  })

  const fetchAndSynchronise = Effect.fn("VeteranClient.fetchAndSynchronise")(function*(
    source: FhirSource,
    resourceTypes: ReadonlyArray<string>,
    progress?: ReadOptions
  ) {
    const fetched = yield* (yield* FhirReader).read(source, resourceTypes, progress)
    return yield* synchronise(fetched)
  })

  return { veteran, api, synchronise, fetchAndSynchronise }
})

const SyncRefused = Schema.Union([SyncRequired, Conflict])

const digestOf = (texts: ReadonlyArray<string>): string =>
  sha256(digestedText(texts.map((text) => ({ fhirId: JSON.parse(text).id, sha256: sha256(text) }))))

const sha256 = (text: string) => hash("sha256", text, "hex")
