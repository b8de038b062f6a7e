import { Context, Effect, Layer } from "effect"
import { Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import { FileStore } from "../document/FileStore.ts"
import { Settings } from "../platform/Settings.ts"

const batch = 100

/** A deleted release that a recipient saw is kept: six years from its end, or longer if set (45 CFR 164.530(j)). */
export class ReleaseRetention extends Context.Service<ReleaseRetention, {
  /** Removes the releases that need not be kept longer and moves their files to `trash`. Returns their number. */
  readonly sweep: Effect.Effect<number>
}>()("vrss/services/release/ReleaseRetention") {
  static readonly layer = Layer.effect(
    ReleaseRetention,
    Effect.gen(function*() {
      const actors = yield* Actors
      const files = yield* FileStore
      const { releaseRetentionYears } = yield* Settings

      const forgetSome = Effect.gen(function*() {
        const rows = yield* DocumentRepository.forgetKept(releaseRetentionYears, batch)
        const keys = rows.flatMap(({ storageKeys }) => storageKeys)
        yield* StoredFileRepository.unclaim(keys)
        return { forgotten: rows.length, keys }
      }).pipe(actors.withActor({ kind: "retention" }))

      return ReleaseRetention.of({
        sweep: Effect.gen(function*() {
          let total = 0
          for (;;) {
            const { forgotten, keys } = yield* forgetSome
            yield* files.discard(keys)
            total += forgotten
            if (forgotten < batch) return total
          }
        }).pipe(Effect.withSpan("ReleaseRetention.sweep"))
      })
    })
  )
}
