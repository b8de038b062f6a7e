import { Context, Effect, Layer, Option, Scope, Stream } from "effect"
import { InvalidRequest, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import { type LinkDisabled, LinkExpired, ViewSessionExpired, ViewSessionUsed } from "../../domain/SecureLink.ts"
import { Actors } from "../../sql/Actor.ts"
import { DatabaseTime, OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as SecureLinkRepository from "../../sql/link/SecureLinkRepository.ts"
import * as SmartHealthLinkRepository from "../../sql/link/SmartHealthLinkRepository.ts"
import { logLoss, LossIsLogged } from "../document/DiskErrors.ts"
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

/** What is sent before and after the content. */
export interface Frame {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

const noFrame: Frame = { before: new Uint8Array(), after: new Uint8Array() }

/** Shows the recipient their copy of the document, once for each one-time code. */
export class LinkView extends Context.Service<LinkView, {
  /** Uses up the view session. With `offset`, resumes a broken transfer. */
  readonly view: (
    viewSession: string,
    offset: number | undefined,
    receiver: Receiver
  ) => Effect.Effect<Viewed, Refused>
  /** Gives the encrypted bundle of a SMART Health Link to an app, whose view session is the ticket. */
  readonly share: (
    shlHash: Uint8Array,
    ticket: string,
    receiver: Receiver,
    frame?: Frame
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

      const deliver = Effect.fnUntraced(function*(
        hash: Uint8Array,
        { linkId, veteranId, via }: SecureLinkRepository.SessionRow,
        receiver: Receiver,
        offset: number | undefined,
        { after, before }: Frame
      ): Effect.fn.Return<Viewed, Refused> {
        yield* transfers.heard
        const asRecipient = actors.withActor({ kind: "recipient", linkId, veteranId })
        const transferId = newId()
        const from = offset ?? 0

        /** An app gets the bundle, and the link's page the document. */
        const fileOf = Effect.fnUntraced(function*(row: DocumentRepository.RecipientCopyRow) {
          if (via === "page") {
            const place = placeOf("documents", "recipient_file_key", veteranId, row.id)
            return { ...row, fileKey: yield* crypto.open(place, row.fileKey) }
          }
          const bundle = yield* SmartHealthLinkRepository.findBundle(veteranId, linkId)
          if (Option.isNone(bundle)) return yield* new LinkExpired()
          const place = placeOf("secure_links", "shl_file_key", veteranId, linkId)
          return { ...bundle.value, fileKey: yield* crypto.open(place, bundle.value.fileKey) }
        })

        const find = Effect.gen(function*() {
          const row = yield* DocumentRepository.findRecipientCopy(veteranId)
          return row && { row, file: yield* fileOf(row) }
        }).pipe(Effect.catchTag("LinkExpired", () => Effect.undefined), asRecipient)

        /** A link that ends removes its own file, so only a file that should still be there is lost. */
        const isLost = find.pipe(
          // The file may have been read for longer than a request lasts.
          Effect.provideService(DatabaseTime, undefined),
          Effect.flatMap((again) => again === undefined ? Effect.succeed(false) : Effect.as(logLoss, true))
        )
        const quietly = Stream.provideService(LossIsLogged, false)

        // The store is asked before the view is used up. While it hangs, no connection waits for it.
        const found = yield* find
        const read = found && (yield* files.read(found.file).pipe(
          Effect.provideService(LossIsLogged, false),
          Effect.map((content) =>
            Stream.catchTag(
              quietly(content),
              "SealBroken",
              (error) => Stream.fromEffect(Effect.andThen(isLost, Effect.fail(error)))
            )
          ),
          Effect.catchTag(
            "SealBroken",
            (error) => Effect.flatMap(isLost, (lost) => lost ? Effect.fail(error) : Effect.undefined)
          )
        ))

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
          // The release ended between the two statements above, or before them.
          if (row === undefined || found === undefined || read === undefined) return yield* new LinkExpired()
          const authorization = yield* crypto.open(
            placeOf("documents", "authorization_ciphertext", veteranId, row.id),
            row.authorizationCiphertext
          )
          if (!isLawful(authorization, row.moment)) return yield* new LinkExpired()
          return {
            signedAt: row.signedAt,
            byteSize: before.length + found.file.byteSize + after.length,
            content: Stream.concat(behind(before, read), Stream.make(after)).pipe(
              Stream.filter((chunk) => chunk.length > 0)
            )
          }
        }, asRecipient)
        let transfer = yield* begin(false)
        // An earlier transfer's process is told to end it, and counts as dead if it has not done so in two seconds.
        for (let tries = 40; transfer === undefined; tries--) {
          yield* Effect.sleep("50 millis")
          transfer = yield* begin(tries <= 1)
        }
        const { byteSize, content, signedAt } = transfer

        let sent = from
        const pieces = content.pipe(
          skip(from),
          beginSmall,
          Stream.tap(({ length }) => Effect.sync(() => sent += length))
        )
        const isDelivered = () => sent === byteSize && receiver.unsent() === 0
        const begun = yield* transfers.begin(
          { linkId, transferId, receiver, isDelivered },
          beginHeld(holdLink(actors, veteranId, linkId), pieces),
          // The end is recorded long after the request, so the request's limit of database time does not apply.
          (isOver) =>
            Effect.provideService(links.endTransfer(veteranId, transferId, sent, isOver), DatabaseTime, undefined)
        )
        return { byteSize, signedAt, offset, content: begun }
      })

      const view: LinkView["Service"]["view"] = Effect.fn("LinkView.view")(function*(viewSession, offset, receiver) {
        // A new request on a connection ends the previous transfer on it. That end must be recorded first.
        yield* transfers.noted
        const hash = sessionHash(viewSession)
        const session = yield* links.findSession(hash)
        if (Option.isNone(session) || session.value.via !== "page") return yield* new ViewSessionExpired()
        return yield* deliver(hash, session.value, receiver, offset, noFrame)
      })

      const share: LinkView["Service"]["share"] = Effect.fn("LinkView.share")(
        function*(shlHash, ticket, receiver, frame = noFrame) {
          yield* transfers.noted
          const hash = sessionHash(ticket)
          const session = yield* links.findTicket(shlHash, hash)
          if (Option.isNone(session) || session.value.via !== "app") return yield* new ViewSessionExpired()
          return yield* deliver(hash, session.value, receiver, undefined, frame)
        }
      )

      const mayShow = Effect.fn("LinkView.mayShow")(function*(viewSession: string) {
        const session = yield* reads.statusOfSession(sessionHash(viewSession))
        if (Option.isNone(session)) return yield* new ViewSessionExpired()
        const { status } = session.value
        if (status !== "active") return yield* linkEnded(status)
      })

      return LinkView.of({ view, share, mayShow })
    })
  )
}

/**
 * Sends the first piece during the hold. A revoke waits for its end, so no document begins after a revoke's answer. The
 * hold begins once that piece was read, because it keeps a connection: skipping to a far `offset` takes time, and a
 * store may hang.
 */
const beginHeld = <E, H>(hold: Effect.Effect<LinkHold, H, Scope.Scope>, pieces: Stream.Stream<Uint8Array, E>) =>
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

/** Joins what precedes a file with its first piece, so that the file was read before anything is sent. */
const behind = <E>(before: Uint8Array, content: Stream.Stream<Uint8Array, E>) => {
  let isFirst = true
  return Stream.map(content, (chunk) => {
    const joined = isFirst && before.length > 0 ? Buffer.concat([before, chunk]) : chunk
    isFirst = false
    return joined
  })
}

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
