import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Documents } from "../../services/document/Documents.ts"
import { Api } from "../Api.ts"
import { forVeteran } from "../Authorization.ts"
import { fileAnswer } from "../FileAnswer.ts"
import { makeReceiveFile } from "../Upload.ts"

export const DocumentsHandlers = HttpApiBuilder.group(
  Api,
  "documents",
  Effect.fn(function*(handlers) {
    const documents = yield* Documents
    const receiveFile = yield* makeReceiveFile
    return handlers
      .handleRaw(
        "upload",
        forVeteran((veteranId, { request }) =>
          Effect.flatMap(receiveFile(request), (file) => documents.upload(veteranId, file))
        )
      )
      .handleAll({
        list: forVeteran((veteranId, { query }) => documents.list(veteranId, query)),
        get: forVeteran((veteranId, { params }) => documents.get(veteranId, params.documentId)),
        content: forVeteran((veteranId, { params }) =>
          Effect.map(documents.content({ kind: "veteran", veteranId }, params.documentId), fileAnswer)
        ),
        record: forVeteran((veteranId, { params }) =>
          Effect.map(documents.record(veteranId, params.documentId), fileAnswer)
        ),
        remove: forVeteran((veteranId, { params }) => documents.remove(veteranId, params.documentId))
      })
  })
)
