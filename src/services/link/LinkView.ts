import { Context, Deferred, Effect, Layer, Option, Stream } from "effect"
import { InvalidRequest, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import { LinkDisabled, LinkExpired, ViewSessionExpired, ViewSessionUsed } from "../../domain/SecureLink.ts"
import { Actors } from "../../sql/Actor.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as SecureLinkRepository from "../../sql/link/SecureLinkRepository.ts"
import { FileStore } from "../document/FileStore.ts"
import { Crypto } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { isLawful } from "../release/SignedAuthorization.ts"
import { linkSecrets } from "./LinkSecrets.ts"
import { RunningTransfers, type Transfer } from "./RunningTransfers.ts"
import { linkEnded } from "./SecureLinks.ts"

type Refused =
  | InvalidRequest
  | LinkDisabled
  | LinkExpired
  | SealBroken
  | ServiceUnavailable
  | ViewSessionExpired
  | ViewSessionUsed

/** A recipient's document; where a transfer goes on, from `offset` on. Sizes in bytes. */
export interface Viewed {
  readonly signedAt: Date
  readonly byteSize: number
  readonly offset: number | undefined
  readonly content: Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable | LinkDisabled>
}

/** One view of the recipient's copy for each code. */
export class LinkView extends Context.Service<LinkView, {
  /** Spends the view session; with `offset` goes on with a transfer that broke. `abort` ends the client's connection. */
  readonly view: (
    viewSession: string,
    offset: number | undefined,
    abort: Transfer["abort"]
  ) => Effect.Effect<Viewed, Refused>
}>()("vrss/LinkView") {
  static readonly layer = Layer.effect(
    LinkView,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const files = yield* FileStore
      const links = SecureLinkRepository.make(yield* OwnConnections)
      const { sessionHash } = yield* linkSecrets
      const transfers = yield* RunningTransfers

      const view: LinkView["Service"]["view"] = Effect.fn("LinkView.view")(function*(viewSession, offset, abort) {
        const hash = sessionHash(viewSession)
        const session = yield* links.findSession(hash)
        if (Option.isNone(session)) return yield* new ViewSessionExpired()
        const { linkId, veteranId } = session.value
        const asRecipient = actors.withActor({ kind: "recipient", linkId, veteranId })
        const transferId = newId()

        const from = offset ?? 0

        const { content, row } = yield* Effect.gen(function*() {
          const row = yield* DocumentRepository.findRecipientCopy(veteranId)
          const status = yield* SecureLinkRepository.beginTransfer({
            sessionHash: hash,
            transferId,
            size: row?.byteSize ?? 0,
            resumeAt: offset ?? null
          })
          if (status === "view_session_used") return yield* new ViewSessionUsed()
          if (status === "view_session_expired") return yield* new ViewSessionExpired()
          if (status === "not_sent_so_far") {
            return yield* InvalidRequest.at(["offset"], "Expected a place that was reached before")
          }
          if (status !== "active") return yield* linkEnded(status)
          // The release ended between the two statements.
          if (row === undefined) return yield* new LinkExpired()
          const authorization = yield* crypto.open(
            placeOf("documents", "authorization_ciphertext", veteranId, row.id),
            row.authorizationCiphertext
          )
          if (!isLawful(authorization, row.moment)) return yield* new LinkExpired()
          const fileKey = yield* crypto.open(
            placeOf("documents", "recipient_file_key", veteranId, row.id),
            row.fileKey
          )
          return { row, content: yield* files.read({ ...row, fileKey }) }
        }).pipe(asRecipient)

        let sent = from
        const pieces = content.pipe(
          skip(from),
          beginSmall,
          Stream.tap(({ length }) => Effect.sync(() => sent += length))
        )
        const begun = beginLocked(asRecipient, SecureLinkRepository.hold(veteranId, linkId), pieces)
        return {
          byteSize: row.byteSize,
          signedAt: row.signedAt,
          offset,
          content: transfers.cut({ linkId, transferId, abort }, begun).pipe(
            Stream.ensuring(Effect.suspend(() => links.endTransfer(veteranId, transferId, sent)))
          )
        }
      })

      return LinkView.of({ view })
    })
  )
}

/**
 * The first piece leaves while the link is locked, so that whoever revokes it waits for that piece or comes before it:
 * after a revoke has answered no first byte leaves.
 */
const beginLocked = <E>(
  asRecipient: ReturnType<Actors["Service"]["withActor"]>,
  hold: ReturnType<typeof SecureLinkRepository.hold>,
  pieces: Stream.Stream<Uint8Array, E>
) =>
  Stream.unwrap(Effect.gen(function*() {
    const locked = yield* Deferred.make<void, LinkDisabled>()
    const begun = yield* Deferred.make<void>()
    let isLocked = true
    yield* hold.pipe(
      Effect.filterOrFail((live) => live, () => new LinkDisabled()),
      Effect.andThen(Deferred.succeed(locked, undefined)),
      Effect.andThen(Effect.timeoutOption(Deferred.await(begun), "5 seconds")),
      Effect.tap(() => Effect.sync(() => isLocked = false)),
      asRecipient,
      Effect.onError((cause) => Deferred.failCause(locked, cause)),
      Effect.forkDetach
    )
    // Of a client that hangs up here nobody asks for a piece: the lock goes at once.
    yield* Effect.onInterrupt(Deferred.await(locked), () => Deferred.succeed(begun, undefined))
    let asked = 0
    return pieces.pipe(
      // Who asks for the second piece has sent the first. A first one that took too long to read stays.
      Stream.tap(() =>
        asked++ > 0
          ? Deferred.succeed(begun, undefined)
          : isLocked
          ? Effect.void
          : Effect.fail(new LinkDisabled())
      ),
      Stream.ensuring(Deferred.succeed(begun, undefined))
    )
  }))

/** So little that no socket keeps it back, though its client does not read: the lock waits for it. */
const firstPiece = 16 * 1024

const beginSmall = <E>(content: Stream.Stream<Uint8Array, E>) => {
  let isFirst = true
  return Stream.flatMap(content, (chunk) => {
    const isWhole = !isFirst || chunk.length <= firstPiece
    isFirst = false
    return isWhole ? Stream.succeed(chunk) : Stream.make(chunk.subarray(0, firstPiece), chunk.subarray(firstPiece))
  }).pipe(Stream.rechunk(1))
}

const skip = (bytes: number) => <E>(content: Stream.Stream<Uint8Array, E>) => {
  let left = bytes
  return Stream.map(content, (chunk) => {
    const rest = chunk.subarray(Math.min(left, chunk.length))
    left -= chunk.length - rest.length
    return rest
  }).pipe(Stream.filter((chunk) => chunk.length > 0))
}
