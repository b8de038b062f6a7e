import { Context, Effect, Layer, Option, Stream } from "effect"
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
import { beginHeld, holdLink } from "./LinkHold.ts"
import { linkSecrets } from "./LinkSecrets.ts"
import { beginSmall, behind, skip } from "./Pieces.ts"
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

/** A view session that is asked for its document, from `offset` on if it broke before. */
interface ViewRequest {
  readonly hash: Uint8Array
  readonly session: SecureLinkRepository.SessionRow
  readonly receiver: Receiver
  readonly offset: number | undefined
  readonly frame: Frame
}

interface FoundFile {
  readonly byteSize: number
  readonly content: Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>
}

interface BegunTransfer {
  readonly transferId: string
  readonly signedAt: Date
  readonly file: FoundFile
}

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

      const asRecipient = ({ linkId, veteranId }: SecureLinkRepository.SessionRow) =>
        actors.withActor({ kind: "recipient", linkId, veteranId })

      /** An app gets the bundle, and the link's page the document. */
      const fileOf = Effect.fnUntraced(function*({ linkId, veteranId, via }: SecureLinkRepository.SessionRow) {
        const row = yield* DocumentRepository.findRecipientCopy(veteranId)
        if (row === undefined) return undefined
        if (via === "page") {
          const place = placeOf("documents", "recipient_file_key", veteranId, row.id)
          return { ...row, fileKey: yield* crypto.open(place, row.fileKey) }
        }
        const bundle = yield* SmartHealthLinkRepository.findBundle(veteranId, linkId)
        if (Option.isNone(bundle)) return undefined
        const place = placeOf("secure_links", "shl_file_key", veteranId, linkId)
        return { ...bundle.value, fileKey: yield* crypto.open(place, bundle.value.fileKey) }
      })

      /** Finds the file and reads its beginning. Returns undefined if the link or its release has ended. */
      const find = Effect.fnUntraced(function*(session: SecureLinkRepository.SessionRow) {
        const stored = asRecipient(session)(fileOf(session))
        /** A link that ends removes its own file, so only a file that should still be there is lost. */
        const isLost = stored.pipe(
          // The file may have been read for longer than a request lasts.
          Effect.provideService(DatabaseTime, undefined),
          Effect.flatMap((again) => again === undefined ? Effect.succeed(false) : Effect.as(logLoss, true))
        )
        const file = yield* stored
        if (file === undefined) return undefined
        return yield* files.read(file).pipe(
          Effect.provideService(LossIsLogged, false),
          Effect.map((content) => ({
            byteSize: file.byteSize,
            content: content.pipe(
              Stream.provideService(LossIsLogged, false),
              Stream.catchTag("SealBroken", (error) => Stream.fromEffect(Effect.andThen(isLost, Effect.fail(error))))
            )
          })),
          Effect.catchTag(
            "SealBroken",
            (error) => Effect.flatMap(isLost, (lost) => lost ? Effect.fail(error) : Effect.undefined)
          )
        )
      })

      /** Uses up the view session, or resumes its transfer. One SQL function decides (`app.begin_transfer`). */
      const begin = Effect.fnUntraced(function*({ hash, offset, session }: ViewRequest, file: FoundFile | undefined) {
        const { veteranId } = session
        const transferId = newId()
        const tryOnce = Effect.fnUntraced(function*(isGone: boolean) {
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
          if (row === undefined || file === undefined) return yield* new LinkExpired()
          const authorization = yield* crypto.open(
            placeOf("documents", "authorization_ciphertext", veteranId, row.id),
            row.authorizationCiphertext
          )
          if (!isLawful(authorization, row.moment)) return yield* new LinkExpired()
          return { transferId, file, signedAt: row.signedAt }
        }, asRecipient(session))
        let begun = yield* tryOnce(false)
        // An earlier transfer's process is told to end it, and counts as dead if it has not done so in two seconds.
        for (let tries = 40; begun === undefined; tries--) {
          yield* Effect.sleep("50 millis")
          begun = yield* tryOnce(tries <= 1)
        }
        return begun
      })

      /** Sends the file: its first piece while the link is held, the rest until the end, which is recorded. */
      const send = Effect.fnUntraced(function*(
        { frame: { after, before }, offset, receiver, session: { linkId, veteranId } }: ViewRequest,
        { file, signedAt, transferId }: BegunTransfer
      ) {
        const byteSize = before.length + file.byteSize + after.length
        let sent = offset ?? 0
        const pieces = Stream.concat(behind(before, file.content), Stream.make(after)).pipe(
          skip(sent),
          beginSmall,
          Stream.tap(({ length }) => Effect.sync(() => sent += length))
        )
        const isDelivered = () => sent === byteSize && receiver.unsent() === 0
        const content = yield* transfers.begin(
          { linkId, transferId, receiver, isDelivered },
          beginHeld(holdLink(actors, veteranId, linkId), pieces),
          // The end is recorded long after the request, so the request's limit of database time does not apply.
          (isOver) =>
            Effect.provideService(links.endTransfer(veteranId, transferId, sent, isOver), DatabaseTime, undefined)
        )
        return { byteSize, signedAt, offset, content }
      })

      const deliver = Effect.fnUntraced(function*(request: ViewRequest): Effect.fn.Return<Viewed, Refused> {
        yield* transfers.heard
        // The store is asked before the view is used up. While it hangs, no connection waits for it.
        const file = yield* find(request.session)
        return yield* send(request, yield* begin(request, file))
      })

      const view: LinkView["Service"]["view"] = Effect.fn("LinkView.view")(function*(viewSession, offset, receiver) {
        // A new request on a connection ends the previous transfer on it. That end must be recorded first.
        yield* transfers.noted
        const hash = sessionHash(viewSession)
        const session = yield* links.findSession(hash)
        if (Option.isNone(session) || session.value.via !== "page") return yield* new ViewSessionExpired()
        return yield* deliver({ hash, session: session.value, receiver, offset, frame: noFrame })
      })

      const share: LinkView["Service"]["share"] = Effect.fn("LinkView.share")(
        function*(shlHash, ticket, receiver, frame = noFrame) {
          yield* transfers.noted
          const hash = sessionHash(ticket)
          const session = yield* links.findTicket(shlHash, hash)
          if (Option.isNone(session) || session.value.via !== "app") return yield* new ViewSessionExpired()
          return yield* deliver({ hash, session: session.value, receiver, offset: undefined, frame })
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
