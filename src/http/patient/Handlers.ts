import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Patients } from "../../services/patient/Patients.ts"
import { ProviderNotes } from "../../services/patient/ProviderNotes.ts"
import { Api } from "../Api.ts"
import { CurrentProvider } from "../Authorization.ts"
import { fileAnswer } from "../FileAnswer.ts"

export const PatientsHandlers = HttpApiBuilder.group(
  Api,
  "patients",
  Effect.fn(function*(handlers) {
    const notes = yield* ProviderNotes
    const patients = yield* Patients
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(CurrentProvider, ({ provider }) => patients.list(provider.id, query)),
      record: ({ params, query }) =>
        Effect.gen(function*() {
          const { provider } = yield* CurrentProvider
          const json = yield* patients.record(provider.id, params.veteranId, query)
          return HttpServerResponse.uint8Array(json, { contentType: "application/json" })
        }),
      notes: ({ params, query }) =>
        Effect.gen(function*() {
          const { provider } = yield* CurrentProvider
          yield* patients.grant(provider.id, params.veteranId)
          return yield* notes.listForProvider(provider.id, params.veteranId, query)
        }),
      writeNote: ({ params, payload }) =>
        Effect.gen(function*() {
          const { provider } = yield* CurrentProvider
          yield* patients.grant(provider.id, params.veteranId)
          return yield* notes.write(provider.id, params.veteranId, payload.text)
        }),
      document: ({ params }) =>
        Effect.gen(function*() {
          const { provider } = yield* CurrentProvider
          return fileAnswer(yield* patients.document(provider.id, params.veteranId, params.documentId))
        })
    })
  })
)
