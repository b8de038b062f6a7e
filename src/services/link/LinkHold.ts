import { Deferred, Effect, Fiber, type Scope } from "effect"
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
