import { Clock, Effect, identity, Stream } from "effect"
import type { Bucket, Listed } from "./Bucket.ts"
import { BucketRefused } from "./BucketErrors.ts"
import { fromDisk } from "./DiskErrors.ts"
import { exceeds, type FindClaimed, timeUnclaimed } from "./FileSweeper.ts"

/** Where the bucket has the stored files. */
export const filesIn = "files/"

/** A listing with more files that no row claims is not read to its end, because they are kept in memory. */
const most = 1_000_000

/** Requests to the bucket at the same time. */
const atOnce = 8

export const isStored = ({ key }: Listed) => /^[0-9a-f]{32}$/.test(key)

/**
 * Hides complete files that no row claims, and puts hidden ones back that rows claim again. The bucket's own rules
 * remove a hidden file after 7 days. What a listing omits is neither hidden nor put back, and no row is touched.
 */
export const sweepBucket = Effect.fnUntraced(
  function*(bucket: Bucket, limitPercent: number, claimed: FindClaimed) {
    // Without versions a removed file is gone, and a database that was restored may need it.
    if (!(yield* fromDisk(bucket.isVersioned))) {
      yield* Effect.logError("upload bucket: it keeps no versions of objects, so no file without a row is swept")
      return 0
    }
    const before = (yield* Clock.currentTimeMillis) - timeUnclaimed
    let total = 0
    const orphans: Array<string> = []
    const wanted: Array<Listed> = []
    yield* Stream.fromAsyncIterable(bucket.versions(filesIn), identity).pipe(
      Stream.runForEach(Effect.fnUntraced(function*(page) {
        const present = page.filter((one) => isStored(one) && one.marker === undefined)
        const old = present.filter(({ writtenAt }) => writtenAt < before)
        const hidden = page.filter((one) => isStored(one) && one.marker !== undefined)
        const asked = [...old, ...hidden].map(({ key }) => key)
        const kept = new Set(asked.length === 0 ? [] : yield* claimed(asked))
        total += present.length
        orphans.push(...old.filter(({ key }) => !kept.has(key)).map(({ key }) => key))
        wanted.push(...hidden.filter(({ key }) => kept.has(key)))
        if (orphans.length > most) return yield* fromDisk(() => Promise.reject(new BucketRefused("ListingTooLong")))
      })),
      Effect.catch((error) => fromDisk(() => Promise.reject(error)))
    )
    const restored = yield* eachIn(wanted, ({ key, marker }) => bucket.restore(`${filesIn}${key}`, marker!))
    if (restored > 0) {
      yield* Effect.logWarning(`upload bucket: files put back, because rows need them: ${restored}`)
    }
    return (yield* exceeds("bucket", orphans.length, total, limitPercent)) ? 0 : yield* hide(bucket, orphans)
  },
  // The failure is logged already. Files are hidden only after the whole listing was read, so none was hidden.
  Effect.catchTags({ ServiceUnavailable: () => Effect.succeed(0), SealBroken: () => Effect.succeed(0) })
)

/** Returns how many files were removed. */
export const hide = (bucket: Bucket, storageKeys: ReadonlyArray<string>) =>
  eachIn(storageKeys, (key) => bucket.remove(`${filesIn}${key}`))

/** Returns the number of objects for which the step succeeded. Its failures are logged, and the next sweep retries. */
const eachIn = <A>(objects: ReadonlyArray<A>, step: (object: A) => Promise<void>) =>
  Effect.forEach(objects, (object) => Effect.isSuccess(fromDisk(() => step(object))), { concurrency: atOnce }).pipe(
    Effect.map((done) => done.filter(Boolean).length)
  )
