import { Effect } from "effect"
import { Documents } from "../../services/document/Documents.ts"
import { CcdaDocuments } from "../../services/release/CcdaDocuments.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { ccdaAnswer, fileAnswer } from "../wire/FileAnswer.ts"
import { group } from "../wire/Group.ts"
import { makeReceiveFile } from "../wire/Upload.ts"

export const DocumentsHandlers = group("documents", function*(handlers) {
  const documents = yield* Documents
  const translations = yield* CcdaDocuments
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
      ccda: forVeteran((veteranId, { params }) =>
        Effect.map(translations.translate(veteranId, params.documentId), ccdaAnswer)
      ),
      remove: forVeteran((veteranId, { params }) => documents.remove(veteranId, params.documentId))
    })
})
