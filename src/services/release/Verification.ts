import { Context, Effect, Layer, Option } from "effect"
import type { PresentedCopy, Verification as Outcome } from "../../domain/Release.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as ReleaseRepository from "../../sql/release/ReleaseRepository.ts"

/** Says whether a copy of a release is genuine. Without a copy it reveals nothing. */
export class Verification extends Context.Service<Verification, {
  readonly verify: (copy: PresentedCopy) => Effect.Effect<Outcome>
}>()("vrss/Verification") {
  static readonly layer = Layer.effect(
    Verification,
    Effect.gen(function*() {
      const sql = yield* SharedConnections
      const verify = Effect.fn("Verification.verify")(function*({ documentId, sha256 }: PresentedCopy) {
        const found = yield* ReleaseRepository.findCopy(sql, documentId, Buffer.from(sha256, "hex"))
        return Option.match(found, {
          onNone: (): Outcome => ({ genuine: false }),
          onSome: (copy): Outcome => ({ genuine: true, ...copy })
        })
      })
      return Verification.of({ verify })
    })
  )
}
