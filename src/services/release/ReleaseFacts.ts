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

/** Collects what the rules and the document look at, in a transaction of the veteran's. */
export const makeFacts = ({ decode }: Documents["Service"]) =>
  Effect.fnUntraced(function*(veteranId: VeteranId, request: unknown) {
    const { categories, documents: ids } = namedIds(request)
    const rows = yield* DocumentRepository.findAll(veteranId, ids)
    const found = yield* Effect.forEach(rows, decode)
    const situation = yield* ReleaseRepository.situation(veteranId, categories)
    if (Option.isNone(situation)) return yield* new Unauthenticated()
    const { fhirSyncManifest, items, moment } = situation.value
    const uploads = found.filter(({ kind }) => kind === "upload")
    return {
      moment,
      manifest: fromStored(fhirSyncManifest),
      items,
      rows,
      uploads,
      rules: {
        now: moment,
        uploads: new Set(uploads.map(({ id }) => id)),
        inForce: new Set(found.filter(({ release }) => release?.status === "in_force").map(({ id }) => id))
      }
    }
  })

/** What the recipient may see, and the types of it of which there is something. */
export const shownOf = ({ information, sensitiveCategories }: PreviewRequest, { items }: ReleaseFacts) => ({
  shown: {
    resourceTypes: information.resourceTypes,
    categories: (sensitiveCategories ?? []).map(({ category }) => category)
  },
  types: information.resourceTypes.filter((type) =>
    items.some(({ released, resourceType }) => resourceType === type && released > 0)
  )
})
