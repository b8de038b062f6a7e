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

/** What a phone does: signs its veteran in, reads the record upstream, and synchronises what it got. */
export const signIn = Effect.fn("VeteranClient.signIn")(function*(
  options: { readonly baseUrl: string; readonly exchangeSecret: Redacted.Redacted; readonly vaPatientId: string }
) {
  const { baseUrl, exchangeSecret, vaPatientId } = options
  const { accessToken, veteran } = yield* (yield* apiClient(baseUrl, { exchangeSecret })).veteranSession.exchange({
    payload: { vaPatientId }
  })
  const token = Redacted.make(accessToken)
  const http = yield* HttpClient.HttpClient
  const api = yield* apiClient(baseUrl, { veteranToken: token })

  /** Sends what was fetched, but of the types in `digests` their digest alone. */
  const send = Effect.fnUntraced(function*(fetched: ReadonlyArray<FetchedType>, digests: ReadonlyMap<string, string>) {
    // Not by the typed client: it would write every resource anew, and `1.00` would become `1`.
    const body = yield* Effect.promise(() => promisify(gzip)(syncRequestText(fetched, digests)))
    return yield* HttpClientRequest.post(`${baseUrl}/api/veteran/me/health-record/sync`).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.setHeader("content-encoding", "gzip"),
      HttpClientRequest.bodyUint8Array(body, "application/json"),
      http.execute
    )
  })

  /** What the service has completely is named by its digest, so that a record that did not change costs a phone some kilobytes. */
  const synchronise = Effect.fn("VeteranClient.synchronise")(function*(fetched: ReadonlyArray<FetchedType>) {
    const manifest = yield* api.healthRecord.manifest({ params: { veteranId: "me" } })
    const known = fetched.filter(({ resourceType, status }) => {
      const state = manifest[resourceType]?.state
      return status === "complete" && (state === "complete" || state === "stale")
    })
    const digests = new Map(known.map(({ resourceType, resources }) => [resourceType, digestOf(resources)]))
    for (;;) {
      const response = yield* send(fetched, digests)
      if (response.status !== 409) {
        const answer = yield* HttpClientResponse.filterStatusOk(response)
        return yield* HttpClientResponse.schemaBodyJson(SyncResult)(answer)
      }
      const required = yield* HttpClientResponse.schemaBodyJson(SyncRefused)(response)
      if (required._tag === "Conflict") return yield* required
      // Each answer names types whose digest was sent, so that there are fewer of them every time.
      if (required.resourceTypes.filter((type) => digests.delete(type)).length === 0) return yield* required
    }
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

/** `HealthRecordSyncRequest` with each resource as its exact text. */
const syncRequestText = (fetched: ReadonlyArray<FetchedType>, digests: ReadonlyMap<string, string>): string => {
  const statuses = Object.fromEntries(fetched.map(({ resourceType, status }) => [resourceType, status]))
  const members = fetched.filter(({ resourceType }) => !digests.has(resourceType)).map(({ resourceType, resources }) =>
    `"${resourceType}":[${resources.join(",")}]`
  )
  const unchanged = JSON.stringify(Object.fromEntries(digests))
  return `{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"unchanged":${unchanged},"resources":{${
    members.join(",")
  }}}`
}

const digestOf = (texts: ReadonlyArray<string>): string =>
  sha256(digestedText(texts.map((text) => ({ fhirId: JSON.parse(text).id, sha256: sha256(text) }))))

const sha256 = (text: string) => hash("sha256", text, "hex")
