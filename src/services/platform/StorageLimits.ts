import { Context, Effect, Layer } from "effect"
import { Conflict } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { ActorTransaction } from "../../sql/Actor.ts"
import { type EdgeError, SharedConnections } from "../../sql/Connections.ts"
import * as StorageRepository from "../../sql/platform/StorageRepository.ts"
import { Settings } from "./Settings.ts"

/** A deleted entry no longer counts, but its row stays. The limit of deleted rows is this many times ENTRY_LIMIT. */
const deletedFor = 10

/** Limits the storage of one veteran. The database counts during each write (migrations/019). */
export class StorageLimits extends Context.Service<StorageLimits, {
  /** Returns how many bytes of files there is room for. Fails if there is no room, or less than `atLeast`. */
  readonly room: (veteranId: VeteranId, of: "uploads" | "releases", atLeast: number) => Effect.Effect<number, Conflict>
  readonly uploadsFull: () => Conflict
  /** Call it after the write, in its transaction. Fails if the veteran's limit is now exceeded. */
  readonly check: (
    veteranId: VeteranId,
    written: "uploads" | "releases" | "entries" | "notes"
  ) => Effect.Effect<void, Conflict | EdgeError, ActorTransaction>
}>()("vrss/services/platform/StorageLimits") {
  static readonly layer = Layer.effect(
    StorageLimits,
    Effect.gen(function*() {
      const { storageLimits } = yield* Settings
      const shared = StorageRepository.make(yield* SharedConnections)
      const sentences = {
        uploads:
          `Uploads are kept up to ${storageLimits.uploads / 1024 / 1024} MiB in all, and there is no room left for ` +
          "this one. Delete some that you no longer need, then upload it again.",
        releases:
          `Releases are kept up to ${storageLimits.releases / 1024 / 1024} MiB in all, and there is no room left for ` +
          "this one. Delete some that have ended, then sign it again.",
        entries:
          `Up to ${storageLimits.entries} entries are kept. Delete some that you no longer need, then write this one.`,
        notes:
          `Up to ${storageLimits.notes} notes about one veteran are kept. Ask the operator of the service for more room.`
      }
      const full = (of: keyof typeof sentences) => new Conflict({ message: sentences[of] })

      return StorageLimits.of({
        room: Effect.fnUntraced(function*(veteranId, of, atLeast) {
          const room = storageLimits[of] - (yield* shared.used(veteranId))[of]
          return room > 0 && atLeast <= room ? room : yield* full(of)
        }),
        uploadsFull: () => full("uploads"),
        check: Effect.fnUntraced(function*(veteranId, written) {
          const used = yield* StorageRepository.used(veteranId)
          if (used[written] > storageLimits[written]) return yield* full(written)
          if (written === "entries" && used.deletedEntries > storageLimits.entries * deletedFor) {
            return yield* new Conflict({
              message:
                "So many entries were written and deleted that no more are kept. Ask the operator of the service."
            })
          }
        })
      })
    })
  )
}
