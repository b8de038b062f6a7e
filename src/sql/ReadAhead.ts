import { Deferred, Effect, Fiber } from "effect"
import type { Actor, Actors } from "./Actor.ts"
import type { EdgeError } from "./Connections.ts"

/**
 * Returns a transaction's rows before it commits, so that the caller can make its answer meanwhile. The answer must not
 * be sent before `proved` succeeds. `proved` waits for `prove`, the transaction's last step, and for the commit.
 */
export const readAhead = Effect.fnUntraced(function*<A, E, R, E2 = never, R2 = never>(
  { withActor }: Actors["Service"],
  actor: Actor,
  read: Effect.Effect<A, E, R>,
  prove: (read: A) => Effect.Effect<void, E2, R2> = () => Effect.void
) {
  const result = yield* Deferred.make<A, Exclude<E | E2, EdgeError>>()
  const transaction = yield* read.pipe(
    Effect.tap((rows) => Deferred.succeed(result, rows)),
    Effect.flatMap(prove),
    withActor(actor),
    Effect.onError((cause) => Deferred.failCause(result, cause)),
    Effect.forkChild
  )
  return { read: yield* Deferred.await(result), proved: Fiber.join(transaction) }
})
