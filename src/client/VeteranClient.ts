import { Effect, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { hash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Conflict, SyncRequired } from "../domain/Errors.ts"
import { SyncResult } from "../domain/HealthRecord.ts"
import { digestedText } from "../domain/TypeDigest.ts"
import { apiClient } from "./ApiClient.ts"
import { type FetchedType, FhirReader, type FhirSource, type ReadOptions } from "./FhirReader.ts"
import { bodyText, firstBody, fitted, maxSyncBytes as contractMaxSyncBytes, type SizedType } from "./SyncBodies.ts"

const rateLimitRetries = 5

/** What a phone does: signs its veteran in, reads the record upstream, and synchronises what it got. */
export const signIn = Effect.fn("VeteranClient.signIn")(function*(
  options: {
    readonly baseUrl: string
    readonly exchangeSecret: Redacted.Redacted
    readonly vaPatientId: string
    /** The bytes that the service takes in one sync; what the contract says unless told. */
    readonly maxSyncBytes?: number | undefined
  }
) {
  const { baseUrl, exchangeSecret, vaPatientId, maxSyncBytes = contractMaxSyncBytes } = options
  const { accessToken, veteran } = yield* (yield* apiClient(baseUrl, { exchangeSecret })).veteranSession.exchange({
    payload: { vaPatientId }
  })
  const token = Redacted.make(accessToken)
  const http = yield* HttpClient.HttpClient
  const api = yield* apiClient(baseUrl, { veteranToken: token })

  /** Sends types, of those in `digests` their digest alone. */
  const sendOnce = Effect.fnUntraced(function*(types: ReadonlyArray<SizedType>, digests: ReadonlyMap<string, string>) {
    // Not by the typed client: it would write every resource anew, and `1.00` would become `1`.
    const body = yield* Effect.promise(() => promisify(gzip)(bodyText(types, digests)))
    return yield* HttpClientRequest.post(`${baseUrl}/api/veteran/me/health-record/sync`).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.setHeader("content-encoding", "gzip"),
      HttpClientRequest.bodyUint8Array(body, "application/json"),
      http.execute
    )
  })

  /** A record in many bodies meets the limit of syncs a minute: it waits as long as it is told. */
  const send = Effect.fnUntraced(function*(...sent: Parameters<typeof sendOnce>) {
    let response = yield* sendOnce(...sent)
    for (let retry = 0; response.status === 429 && retry < rateLimitRetries; retry++) {
      yield* Effect.sleep(`${Number(response.headers["retry-after"]) || 1} seconds`)
      response = yield* sendOnce(...sent)
    }
    return response
  })

  /**
   * What the service has completely is named by its digest, so that a record that did not change costs a phone some
   * kilobytes. What one sync cannot take goes in several: each type is merged by itself, so that the outcome is that of
   * one. Where one of them fails, those before it hold, and the same again is harmless.
   */
  const synchronise = Effect.fn("VeteranClient.synchronise")(function*(fetched: ReadonlyArray<FetchedType>) {
    const sizes = fetched.map((type) => fitted(type, maxSyncBytes))
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
        // Each answer names types whose digest was sent, so that there are fewer of them every time.
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
