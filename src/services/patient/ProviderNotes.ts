import { Context, Effect, Layer } from "effect"
import { ConsentRequired } from "../../domain/ConsentGrant.ts"
import type { Conflict, InvalidRequest } from "../../domain/Errors.ts"
import type { ProviderId, VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import { notesWritten, type ProviderNote, type ProviderNotePage } from "../../domain/ProviderNote.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { type Actor, Actors, ActorTransaction } from "../../sql/Actor.ts"
import * as ProviderNoteRepository from "../../sql/patient/ProviderNoteRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"
import { RateLimits } from "../platform/RateLimits.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { StorageLimits } from "../platform/StorageLimits.ts"

type Row = Effect.Success<ReturnType<typeof ProviderNoteRepository.insert>>

/** Keeps the notes that providers write on a veteran's record. The text is sealed. */
export class ProviderNotes extends Context.Service<ProviderNotes, {
  readonly listForVeteran: (
    veteranId: VeteranId,
    page: PageRequest
  ) => Effect.Effect<typeof ProviderNotePage.Type, InvalidRequest>
  readonly listForProvider: (
    providerId: ProviderId,
    veteranId: VeteranId,
    page: PageRequest
  ) => Effect.Effect<typeof ProviderNotePage.Type, InvalidRequest>
  readonly write: (
    providerId: ProviderId,
    veteranId: VeteranId,
    text: string
  ) => Effect.Effect<ProviderNote, Conflict | ConsentRequired | RateLimited>
  readonly decode: (row: Row) => Effect.Effect<ProviderNote>
}>()("vrss/services/patient/ProviderNotes") {
  static readonly layer = Layer.effect(
    ProviderNotes,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const limits = yield* RateLimits
      const paging = yield* Paging
      const storage = yield* StorageLimits

      const decode = Effect.fnUntraced(function*({ bodyCiphertext, veteranId, ...row }: Row) {
        return { ...row, text: yield* crypto.openText(bodyPlace(veteranId, row.id), bodyCiphertext) }
      })

      const list = (actor: Actor, request: PageRequest) =>
        paging.opened(
          `provider-notes|${JSON.stringify(actor)}`,
          request,
          (query) => actors.withActor(actor)(ProviderNoteRepository.list({ ...query, ...actor })),
          decode
        )

      const write = Effect.fn("ProviderNotes.write")(
        function*(providerId: ProviderId, veteranId: VeteranId, text: string) {
          const id = newId()
          const bodyCiphertext = crypto.seal(bodyPlace(veteranId, id), Buffer.from(text))
          return yield* ProviderNoteRepository.insert({ id, veteranId, providerId, bodyCiphertext }).pipe(
            // Row-level security refuses the row if the grant ended after the handler had checked it.
            Effect.catchReason("SqlError", "AuthorizationError", () => new ConsentRequired()),
            Effect.tap(storage.check(veteranId, "notes")),
            Effect.tap(
              ActorTransaction.use((sql) => limits.count(sql, "notes", `${providerId} ${veteranId}`, notesWritten))
            ),
            actors.withActor({ kind: "provider", providerId, veteranId }),
            Effect.flatMap(decode)
          )
        }
      )

      return ProviderNotes.of({
        listForVeteran: (veteranId, page) => list({ kind: "veteran", veteranId }, page),
        listForProvider: (providerId, veteranId, page) => list({ kind: "provider", providerId, veteranId }, page),
        write,
        decode
      })
    })
  )
}

const bodyPlace = (veteranId: VeteranId, id: string) => placeOf("provider_notes", "body_ciphertext", veteranId, id)
