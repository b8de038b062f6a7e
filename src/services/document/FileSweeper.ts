import { Clock, Duration, Effect, identity, Stream } from "effect"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { retention } from "../../domain/Retention.ts"
import { errnoCode, outOfReach, toDisk } from "./DiskErrors.ts"
import { makeFolder, storedNames, type StoreFolders } from "./StoreFolders.ts"

/** Returns those of the given files that a row claims. */
export type FindClaimed = (storageKeys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>

const timeUnfinished = Duration.toMillis(retention["unfinished uploads"].after)

const timeInTrash = Duration.toMillis(retention.trash.after)

/** Files younger than this stay, because their row may not be committed yet. */
export const timeUnclaimed = 60 * 60 * 1000

/** A sweep may always move this many files, because a few orphans are a large share of a small store. */
const few = 10

export const sweepFiles = Effect.fnUntraced(
  function*(folders: StoreFolders, limitPercent: number, claimed: FindClaimed) {
    const now = yield* Clock.currentTimeMillis
    // The key of an unfinished file was only in the memory of one process, so the file is of no use.
    const abandoned = yield* inReach(
      olderThan(now - timeUnfinished, folders.temporary).pipe(
        Stream.mapEffect((names) => unlinkAll(folders.temporary, names)),
        Stream.runSum
      )
    )
    return abandoned + (yield* inReach(sweepWhole(folders, limitPercent, claimed, now)))
  }
)

/** If more files than the limit would move, the rows are likely wrong. Then no file is moved or removed from trash. */
const sweepWhole = Effect.fnUntraced(
  function*(folders: StoreFolders, limitPercent: number, claimed: FindClaimed, now: number) {
    const { files } = folders
    let total = 0
    const orphans: Array<string> = []
    yield* olderThan(now - timeUnclaimed, files, () => total++).pipe(
      Stream.runForEach(Effect.fnUntraced(function*(names) {
        const kept = new Set(yield* claimed(names))
        orphans.push(...names.filter((name) => !kept.has(name)))
      }))
    )
    const exceeded = yield* exceeds("directory", orphans.length, total, limitPercent)
    yield* inReach(sortTrash(folders, exceeded ? -Infinity : now - timeInTrash, claimed))
    return exceeded ? 0 : yield* moveToTrash(folders, orphans)
  }
)

/** True if the rows are likely wrong, or of another database. Then it logs so. */
export const exceeds = (place: "directory" | "bucket", orphans: number, total: number, limitPercent: number) =>
  orphans > few && orphans * 100 > total * limitPercent
    ? Effect.as(
      Effect.logError(
        `upload ${place}: ${orphans} of ${total} files have no row in this database, which is more than ` +
          `SWEEP_LIMIT_PERCENT=${limitPercent} lets go at once: all stay. If this is the right database, ` +
          `start with SWEEP_LIMIT_PERCENT=${Math.ceil(orphans * 100 / total)}`
      ),
      true
    )
    : Effect.succeed(false)

/** Returns how many of these files existed and were moved. */
export const moveToTrash = Effect.fnUntraced(
  function*({ files, root, trash }: StoreFolders, storageKeys: ReadonlyArray<string>) {
    if (storageKeys.length === 0 || !(yield* Effect.isSuccess(toDisk(() => makeFolder(trash, root))))) return 0
    const now = (yield* Clock.currentTimeMillis) / 1000
    return yield* Stream.fromIterable(storageKeys).pipe(
      Stream.grouped(500),
      Stream.mapEffect((names) =>
        eachOf(names, async (name) => {
          // The time in trash counts from now.
          await Fs.utimes(join(files, name), now, now)
          await Fs.rename(join(files, name), join(trash, name))
        })
      ),
      Stream.runSum
    )
  }
)

/** Restores files that rows claim again, as after a restored backup. Removes other files trashed before `before`. */
const sortTrash = Effect.fnUntraced(function*({ files, trash }: StoreFolders, before: number, claimed: FindClaimed) {
  let restored = 0
  yield* filesIn(trash).pipe(
    Stream.grouped(500),
    Stream.runForEach(Effect.fnUntraced(function*(found) {
      const wanted = new Set(yield* claimed(found.map(({ name }) => name)))
      const [unclaimed, restorable] = [found.filter(({ name }) => !wanted.has(name)), found.filter(({ name }) =>
        wanted.has(name)
      )]
      restored += yield* eachOf(
        restorable.map(({ name }) => name),
        (name) => Fs.rename(join(trash, name), join(files, name))
      )
      yield* unlinkAll(trash, unclaimed.filter(({ writtenAt }) => writtenAt < before).map(({ name }) => name))
    }))
  )
  if (restored > 0) {
    yield* Effect.logWarning(`upload directory: files put back from trash, because rows need them: ${restored}`)
  }
  return restored
})

/** A folder that does not exist yet counts as empty. */
const inReach = <E>(swept: Effect.Effect<number, E>) =>
  Effect.catch(
    swept,
    (error) => errnoCode(error) === "ENOENT" ? Effect.succeed(0) : Effect.as(Effect.ignore(outOfReach(error)), 0)
  )

const olderThan = (before: number, folder: string, seen: () => void = () => {}) =>
  filesIn(folder).pipe(
    Stream.tap(() => Effect.sync(seen)),
    Stream.filter(({ writtenAt }) => writtenAt < before),
    Stream.map(({ name }) => name),
    Stream.grouped(500)
  )

const filesIn = (folder: string) => Stream.fromAsyncIterable(statsIn(folder), identity)

const statsIn = async function*(folder: string) {
  for await (const name of storedNames(folder)) {
    const stats = await Fs.lstat(join(folder, name)).catch((error: unknown) => {
      if (errnoCode(error) !== "ENOENT") throw error
    })
    if (stats !== undefined) yield { name, writtenAt: stats.mtimeMs }
  }
}

/** Returns how many files existed and were removed. */
export const unlinkAll = (folder: string, names: ReadonlyArray<string>) =>
  eachOf(names, (name) => Fs.unlink(join(folder, name)))

/** Returns the number of files for which the step succeeded. Files that do not exist are neither counted nor logged. */
const eachOf = Effect.fnUntraced(function*(names: ReadonlyArray<string>, step: (name: string) => Promise<void>) {
  const results = yield* Effect.promise(() => Promise.allSettled(names.map(step)))
  const refusals = results.flatMap((result) => result.status === "rejected" ? [errnoCode(result.reason)] : [])
  const other = refusals.find((code) => code !== "ENOENT")
  if (other !== undefined) yield* Effect.logError(`upload directory: ${other}`)
  return results.length - refusals.length
})
