import { Context, Effect, Layer, Option, Scope, Stream } from "effect"
import { InvalidRequest, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import { type LinkDisabled, LinkExpired, ViewSessionExpired, ViewSessionUsed } from "../../domain/SecureLink.ts"
import { Actors } from "../../sql/Actor.ts"
import { DatabaseTime, OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as SecureLinkRepository from "../../sql/link/SecureLinkRepository.ts"
import { FileStore } from "../document/FileStore.ts"
import { Crypto } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { isLawful } from "../release/SignedAuthorization.ts"
import { holdLink, type LinkHold } from "./LinkHold.ts"
import { linkSecrets } from "./LinkSecrets.ts"
import { type Receiver, RunningTransfers } from "./RunningTransfers.ts"
import { linkEnded } from "./SecureLinks.ts"

type Refused =
  | InvalidRequest
  | LinkDisabled
  | LinkExpired
  | SealBroken
  | ServiceUnavailable
  | ViewSessionExpired
  | ViewSessionUsed

/** A recipient's document. The content begins at `offset` if a transfer is resumed. Sizes are in bytes. */
export interface Viewed {
  readonly signedAt: Date
  readonly byteSize: number
  readonly offset: number | undefined
  readonly content: Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable | LinkDisabled>
}

/** Shows the recipient their copy of the document, once for each one-time code. */
export class LinkView extends Context.Service<LinkView, {
  /** Uses up the view session. With `offset`, resumes a broken transfer. */
  readonly view: (
    viewSession: string,
    offset: number | undefined,
    receiver: Receiver
  ) => Effect.Effect<Viewed, Refused>
  /** Fails once the link has ended: the document must then leave the screen. */
  readonly mayShow: (viewSession: string) => Effect.Effect<void, LinkDisabled | LinkExpired | ViewSessionExpired>
}>()("vrss/services/link/LinkView") {
  static readonly layer = Layer.effect(
    LinkView,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const files = yield* FileStore
      const links = SecureLinkRepository.make(yield* OwnConnections)
      const reads = SecureLinkRepository.make(yield* SharedConnections)
      const { sessionHash } = yield* linkSecrets
      const transfers = yield* RunningTransfers

      const view: LinkView["Service"]["view"] = Effect.fn("LinkView.view")(function*(viewSession, offset, receiver) {
        // A new request on a connection ends the previous transfer on it. That end must be recorded first.
        yield* transfers.noted
        const hash = sessionHash(viewSession)
        const session = yield* links.findSession(hash)
        if (Option.isNone(session)) return yield* new ViewSessionExpired()
        const { linkId, veteranId } = session.value
        const asRecipient = actors.withActor({ kind: "recipient", linkId, veteranId })
        const transferId = newId()
        const from = offset ?? 0

        const begin = Effect.fnUntraced(function*(isGone: boolean) {
          const row = yield* DocumentRepository.findRecipientCopy(veteranId)
          const status = yield* SecureLinkRepository.beginTransfer({
            sessionHash: hash,
            transferId,
            size: row?.byteSize ?? 0,
            isGone,
            resumeAt: offset ?? null
          })
          if (status === "running") return undefined
          if (status === "view_session_used") return yield* new ViewSessionUsed()
          if (status === "view_session_expired") return yield* new ViewSessionExpired()
          if (status === "not_sent_so_far") {
            return yield* InvalidRequest.at(["offset"], "Expected a place that was reached before")
          }
          if (status !== "active") return yield* linkEnded(status)
          // The release ended between the two statements above.
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
        }, asRecipient)
        let transfer = yield* begin(false)
        // An earlier transfer's process is told to end it, and counts as dead if it has not done so in two seconds.
        for (let tries = 40; transfer === undefined; tries--) {
          yield* Effect.sleep("50 millis")
          transfer = yield* begin(tries <= 1)
        }
        const { content, row } = transfer

        let sent = from
        const pieces = content.pipe(
          skip(from),
          beginSmall,
          Stream.tap(({ length }) => Effect.sync(() => sent += length))
        )
        const isDelivered = () => sent === row.byteSize && receiver.unsent() === 0
        const begun = yield* transfers.begin(
          { linkId, transferId, receiver, isDelivered },
          beginHeld(holdLink(actors, veteranId, linkId), pieces),
          // The end is recorded long after the request, so the request's limit of database time does not apply.
          (isOver) =>
            Effect.provideService(links.endTransfer(veteranId, transferId, sent, isOver), DatabaseTime, undefined)
        )
        return { byteSize: row.byteSize, signedAt: row.signedAt, offset, content: begun }
      })

      const mayShow = Effect.fn("LinkView.mayShow")(function*(viewSession: string) {
        const session = yield* reads.statusOfSession(sessionHash(viewSession))
        if (Option.isNone(session)) return yield* new ViewSessionExpired()
        const { status } = session.value
        if (status !== "active") return yield* linkEnded(status)
      })

      return LinkView.of({ view, mayShow })
    })
  )
}

/** Sends the first piece during the hold. A revoke waits for its end, so no document begins after a revoke's answer. */
const beginHeld = <E, H>(hold: Effect.Effect<LinkHold, H, Scope.Scope>, pieces: Stream.Stream<Uint8Array, E>) =>
  Stream.unwrap(Effect.map(Effect.scope, (scope) => {
    let release: Effect.Effect<void> = Effect.void
    const taken = Effect.flatMap(Scope.provide(hold, scope), (held) => {
      release = held.release
      return held.confirm
    })
    // The hold begins only after the first piece was read, because skipping to a far `offset` takes time. It ends when
    // the second piece is requested, because then the first was sent.
    return Stream.mapEffect(pieces, (piece, index) => Effect.as(index === 0 ? taken : release, piece))
  }))

/** In bytes. A socket takes a first piece of this size even if its client does not read, so the hold ends soon. */
const firstPiece = 16 * 1024

const beginSmall = <E>(content: Stream.Stream<Uint8Array, E>) => {
  let isFirst = true
  return Stream.flatMap(content, (chunk) => {
    const isWhole = !isFirst || chunk.length <= firstPiece
    isFirst = false
    return isWhole ? Stream.succeed(chunk) : Stream.make(chunk.subarray(0, firstPiece), chunk.subarray(firstPiece))
  })
}

const skip = (bytes: number) => <E>(content: Stream.Stream<Uint8Array, E>) => {
  let remaining = bytes
  return Stream.map(content, (chunk) => {
    const rest = chunk.subarray(Math.min(remaining, chunk.length))
    remaining -= chunk.length - rest.length
    return rest
  }).pipe(Stream.filter((chunk) => chunk.length > 0))
}
