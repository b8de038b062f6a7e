import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { SyncResult } from "../domain/HealthRecord.ts"
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

  const synchronise = Effect.fn("VeteranClient.synchronise")(function*(fetched: ReadonlyArray<FetchedType>) {
    // Not by the typed client: it would write every resource anew, and `1.00` would become `1`.
    const body = yield* Effect.promise(() => promisify(gzip)(syncRequestText(fetched)))
    return yield* HttpClientRequest.post(`${baseUrl}/api/veteran/me/health-record/sync`).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.setHeader("content-encoding", "gzip"),
      HttpClientRequest.bodyUint8Array(body, "application/json"),
      http.execute,
      Effect.flatMap(HttpClientResponse.filterStatusOk),
      Effect.flatMap(HttpClientResponse.schemaBodyJson(SyncResult))
    )
  })

  const fetchAndSynchronise = Effect.fn("VeteranClient.fetchAndSynchronise")(function*(
    source: FhirSource,
    resourceTypes: ReadonlyArray<string>,
    progress?: ReadOptions
  ) {
    const fetched = yield* (yield* FhirReader).read(source, resourceTypes, progress)
    return yield* synchronise(fetched)
  })

  return { veteran, api: yield* apiClient(baseUrl, { veteranToken: token }), synchronise, fetchAndSynchronise }
})

/** `HealthRecordSyncRequest` with each resource as its exact text. */
const syncRequestText = (fetched: ReadonlyArray<FetchedType>): string => {
  const statuses = Object.fromEntries(fetched.map(({ resourceType, status }) => [resourceType, status]))
  const members = fetched.map(({ resourceType, resources }) => `"${resourceType}":[${resources.join(",")}]`)
  return `{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"resources":{${members.join(",")}}}`
}
