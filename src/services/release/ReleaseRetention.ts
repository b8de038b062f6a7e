import { Effect } from "effect"
import { Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import { FileStore } from "../document/FileStore.ts"
import type { Job } from "../platform/Jobs.ts"
import { Settings } from "../platform/Settings.ts"

const batch = 100

/**
 * A deleted release that a recipient saw is kept: six years from its end, or longer if set (45 CFR 164.530(j)). A run
 * removes the releases that need not be kept longer and moves their files to `trash`. It returns their number.
 */
export const releaseRetention = Effect.gen(function*() {
  const actors = yield* Actors
  const files = yield* FileStore
  const { releaseRetentionYears } = yield* Settings

  const forgetSome = Effect.gen(function*() {
    const rows = yield* DocumentRepository.forgetKept(releaseRetentionYears, batch)
    const keys = rows.flatMap(({ storageKeys }) => storageKeys)
    yield* StoredFileRepository.unclaim(keys)
    return { forgotten: rows.length, keys }
  }).pipe(actors.withActor({ kind: "retention" }))

  const run = Effect.gen(function*() {
    for (let total = 0;;) {
      const { forgotten, keys } = yield* forgetSome
      yield* files.discard(keys)
      total += forgotten
      if (forgotten === batch) continue
      if (total > 0) yield* Effect.logInfo(`forgot ${total} kept releases`)
      return total
    }
  }).pipe(Effect.withSpan("ReleaseRetention.sweep"))

  return { name: "sweep of what was kept for its time", every: "1 hour", first: "1 hour", run } satisfies Job
})
