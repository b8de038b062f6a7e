import { Deferred, Effect, Fiber } from "effect"
import type { Actor, Actors } from "./Actor.ts"
import type { EdgeError } from "./Connections.ts"

/**
 * Answers what a transaction reads before it commits: the answer is made meanwhile, with no connection in hand, and leaves once `proved`
 * says that `prove`, the transaction's last step, is stored.
 */
export const readAhead = Effect.fnUntraced(function*<A, E, R, E2 = never, R2 = never>(
  { withActor }: Actors["Service"],
  actor: Actor,
  read: Effect.Effect<A, E, R>,
  prove: (read: A) => Effect.Effect<void, E2, R2> = () => Effect.void
) {
  const found = yield* Deferred.make<A, Exclude<E | E2, EdgeError>>()
  const transaction = yield* read.pipe(
    Effect.tap((rows) => Deferred.succeed(found, rows)),
    Effect.flatMap(prove),
    withActor(actor),
    Effect.onError((cause) => Deferred.failCause(found, cause)),
    Effect.forkChild
  )
  return { read: yield* Deferred.await(found), proved: Fiber.join(transaction) }
})
