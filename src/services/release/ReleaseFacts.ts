import { Effect, Option } from "effect"
import { Unauthenticated } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { PreviewRequest } from "../../domain/Release.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import { fromStored } from "../../sql/record/ManifestColumn.ts"
import * as ReleaseRepository from "../../sql/release/ReleaseRepository.ts"
import type { Documents } from "../document/Documents.ts"
import { namedIds } from "./AuthorizationRules.ts"

export type ReleaseFacts = Effect.Success<ReturnType<ReturnType<typeof makeFacts>>>

/** Collects the facts for the rules and the document, in a transaction of the veteran. */
export const makeFacts = ({ decode }: Documents["Service"]) =>
  Effect.fnUntraced(function*(veteranId: VeteranId, request: unknown) {
    const { categories, documents: ids } = namedIds(request)
    const rows = yield* DocumentRepository.findAll(veteranId, ids)
    const documents = yield* Effect.forEach(rows, decode)
    const situation = yield* ReleaseRepository.situation(veteranId, categories)
    if (Option.isNone(situation)) return yield* new Unauthenticated()
    const { fhirSyncManifest, items, moment } = situation.value
    const uploads = documents.filter(({ kind }) => kind === "upload")
    return {
      moment,
      manifest: fromStored(fhirSyncManifest),
      items,
      rows,
      uploads,
      rules: {
        now: moment,
        uploads: new Set(uploads.map(({ id }) => id)),
        inForce: new Set(documents.filter(({ release }) => release?.status === "in_force").map(({ id }) => id))
      }
    }
  })

/** The types and categories that the recipient may see, and the types with items. */
export const shownOf = ({ information, sensitiveCategories }: PreviewRequest, { items }: ReleaseFacts) => ({
  shown: {
    resourceTypes: information.resourceTypes,
    categories: (sensitiveCategories ?? []).map(({ category }) => category)
  },
  types: information.resourceTypes.filter((type) =>
    items.some(({ released, resourceType }) => resourceType === type && released > 0)
  )
})
