import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Documents } from "../../services/document/Documents.ts"
import { Api } from "../Api.ts"
import { CurrentVeteran } from "../Authorization.ts"
import { fileAnswer } from "../FileAnswer.ts"
import { receiveFile } from "../Upload.ts"

export const DocumentsHandlers = HttpApiBuilder.group(
  Api,
  "documents",
  Effect.fn(function*(handlers) {
    const documents = yield* Documents
    return handlers
      .handleRaw("upload", () =>
        Effect.gen(function*() {
          const { veteranId } = yield* CurrentVeteran
          return yield* documents.upload(veteranId, yield* receiveFile)
        }))
      .handleAll({
        list: ({ query }) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => documents.list(veteranId, query)),
        get: ({ params }) =>
          Effect.flatMap(CurrentVeteran, ({ veteranId }) => documents.get(veteranId, params.documentId)),
        content: ({ params }) =>
          Effect.gen(function*() {
            const { veteranId } = yield* CurrentVeteran
            return fileAnswer(yield* documents.content({ kind: "veteran", veteranId }, params.documentId))
          }),
        remove: ({ params }) =>
          Effect.flatMap(CurrentVeteran, ({ veteranId }) => documents.remove(veteranId, params.documentId))
      })
  })
)
