import { Data, Effect } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import { Unauthenticated } from "../../domain/Errors.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"

/** A sync finished during the read, so the items and the manifest may be from different moments. */
export class RecordChanged extends Data.TaggedError("RecordChanged")<{}> {}

export interface Position {
  readonly resourceType: string
  readonly fhirId: string
}

/** Records in `proofs` what an answer shows. Fails if the grant has ended or the manifest differs from `before`. */
export const prove = Effect.fnUntraced(
  function*({ veteranId }: AppSession, types: Readonly<Record<string, number>>, before?: unknown) {
    const { active, fhirSyncManifest } = yield* GrantedItemRepository.prove(veteranId, types)
    if (!active) return yield* new Unauthenticated()
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(fhirSyncManifest)) {
      return yield* new RecordChanged()
    }
  }
)

export const asApp = ({ grantId, veteranId }: AppSession) => ({ kind: "app", grantId, veteranId }) as const

/** The number of items of each type in an answer, with 0 for each requested type without items. */
export const shownOf = (requested: ReadonlyArray<string> | null, shown: ReadonlyArray<Position>) => {
  const types = Map.groupBy(shown, ({ resourceType }) => resourceType)
  return {
    ...Object.fromEntries((requested ?? []).map((type) => [type, 0])),
    ...Object.fromEntries(Array.from(types, ([type, { length }]) => [type, length]))
  }
}
