import { Deferred, Effect, Fiber, Scope, Stream } from "effect"
import type { LinkId, VeteranId } from "../../domain/Id.ts"
import { LinkDisabled } from "../../domain/SecureLink.ts"
import type { Actors } from "../../sql/Actor.ts"
import * as SecureLinkRepository from "../../sql/link/SecureLinkRepository.ts"

/** A hold lapses after this time, so that a client that reads nothing cannot keep a veteran from revoking a link. */
const maxHold = "5 seconds"

export interface LinkHold {
  /** Fails once the hold has ended. */
  readonly confirm: Effect.Effect<void, LinkDisabled>
  readonly release: Effect.Effect<void>
}

/** Holds a lock in an open transaction. A request to end the link waits until the lock is released or lapses. */
export const holdLink = Effect.fnUntraced(function*(
  actors: Actors["Service"],
  veteranId: VeteranId,
  linkId: LinkId
): Effect.fn.Return<LinkHold, LinkDisabled, Scope.Scope> {
  const taken = yield* Deferred.make<void, LinkDisabled>()
  let isHeld = false
  const holding = yield* SecureLinkRepository.hold(veteranId, linkId).pipe(
    Effect.filterOrFail((live) => live, () => new LinkDisabled()),
    Effect.andThen(Effect.sync(() => isHeld = true)),
    Effect.andThen(Deferred.succeed(taken, undefined)),
    Effect.andThen(Effect.sleep(maxHold)),
    // This runs inside the transaction, so `isHeld` becomes false before PostgreSQL releases the lock.
    Effect.ensuring(Effect.sync(() => isHeld = false)),
    actors.withActor({ kind: "recipient", linkId, veteranId }),
    Effect.onError((cause) => Deferred.failCause(taken, cause)),
    Effect.forkScoped
  )
  yield* Deferred.await(taken)
  return {
    confirm: Effect.suspend(() => isHeld ? Effect.void : Effect.fail(new LinkDisabled())),
    release: Fiber.interrupt(holding)
  }
})

/**
 * Sends the first piece during the hold. A revoke waits for its end, so no document begins after a revoke's answer. The
 * hold begins once that piece was read, because it keeps a connection: skipping to a far `offset` takes time, and a
 * store may hang.
 */
export const beginHeld = <E, H>(hold: Effect.Effect<LinkHold, H, Scope.Scope>, pieces: Stream.Stream<Uint8Array, E>) =>
  Stream.unwrap(Effect.gen(function*() {
    const take = Scope.provide(hold, yield* Effect.scope)
    let held: LinkHold | undefined
    return pieces.pipe(
      // A link that ended removed its own file. Then the hold fails, and says so.
      Stream.catch((error) => Stream.fromEffect(Effect.andThen(held ? Effect.void : take, Effect.fail(error)))),
      // A hold ends when the second piece is requested, because then the first was sent.
      Stream.mapEffect((piece, index) =>
        Effect.gen(function*() {
          if (index === 0) yield* (held = yield* take).confirm
          else yield* held!.release
          return piece
        })
      )
    )
  }))
