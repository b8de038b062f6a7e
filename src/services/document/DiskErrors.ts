import { Context, Effect } from "effect"
import { StorageFull } from "../../domain/Document.ts"
import { SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { BucketRefused } from "./BucketErrors.ts"

const full = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

export const isFull = (code: string) => full.has(code)

export const toDisk = <A>(step: () => Promise<A>) =>
  settled<A, StorageFull | ServiceUnavailable>(
    step,
    (error) => {
      const code = errnoCode(error)
      return code === undefined ? Effect.die(error) : refusedWith(code)
    }
  )

/** The failure for an errno code of a refused write. */
export const refusedWith = (code: string): Effect.Effect<never, StorageFull | ServiceUnavailable> =>
  Effect.andThen(
    Effect.logError(`upload directory: ${code}`),
    Effect.suspend(() => Effect.fail(isFull(code) ? new StorageFull() : new ServiceUnavailable()))
  )

export const fromDisk = <A>(step: () => Promise<A>) =>
  settled<A, SealBroken | ServiceUnavailable>(
    step,
    (error) => error instanceof SealBroken ? notIntact : outOfReach(error)
  )

/** Where a file may go while it is read, this is false: the reader then looks whether it should be there. */
export const LossIsLogged = Context.Reference<boolean>("vrss/services/document/DiskErrors/LossIsLogged", {
  defaultValue: () => true
})

export const logLoss = Effect.logError("upload directory: a stored file is not intact")

/** The failure for a stored file that is lost, or whose bytes have changed. */
export const notIntact: Effect.Effect<never, SealBroken> = LossIsLogged.pipe(
  Effect.flatMap((isLogged) => isLogged ? logLoss : Effect.void),
  Effect.andThen(Effect.suspend(() => Effect.fail(new SealBroken())))
)

/** Uninterruptible: an interruption waits until the step has ended, and only then are its file handles closed. */
const settled = <A, E>(step: () => Promise<A>, failed: (error: unknown) => Effect.Effect<never, E>) =>
  Effect.promise(() => step().then((value): Effect.Effect<A, E> => Effect.succeed(value), failed)).pipe(
    Effect.flatten,
    Effect.uninterruptible
  )

/** An error without errno is a defect. Only the code is logged, because the message contains a path. */
export const outOfReach = (error: unknown): Effect.Effect<never, ServiceUnavailable> => {
  const said = error instanceof BucketRefused ? error.message : placed(errnoCode(error))
  return said === undefined
    ? Effect.die(error)
    : Effect.andThen(Effect.logError(said), Effect.fail(new ServiceUnavailable()))
}

const placed = (code: string | undefined) => code === undefined ? undefined : `upload directory: ${code}`

export const errnoCode = (error: unknown) =>
  error instanceof Error && "errno" in error ? (error as NodeJS.ErrnoException).code : undefined
