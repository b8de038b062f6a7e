import { Context, Effect, Layer, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { encodeQR } from "qr"
import { Actors } from "../sql/Actor.ts"
import * as DocumentRepository from "../sql/DocumentRepository.ts"
import * as SecureLinkRepository from "../sql/SecureLinkRepository.ts"
import { LockingStatements } from "../sql/Statements.ts"
import { ApiError, Conflict, type InvalidRequest, NotFound } from "./ApiError.ts"
import { Crypto } from "./Crypto.ts"
import { Id, newId } from "./Ids.ts"
import { invitation } from "./LinkMails.ts"
import { Mailer } from "./Mailer.ts"
import { PageOf, type PageRequest, Paging } from "./Paging.ts"
import { Settings } from "./Settings.ts"
import { EmailAddress, Instant, Text } from "./Text.ts"

export class LinkNotFound extends ApiError<LinkNotFound>()("LinkNotFound", {
  code: "link_not_found",
  status: 404,
  message: "There is no such link. Check that the address was copied whole."
}) {}

export class LinkDisabled extends ApiError<LinkDisabled>()("LinkDisabled", {
  code: "link_disabled",
  status: 410,
  message: "This link was disabled. Ask the veteran for a new one."
}) {}

export class LinkExpired extends ApiError<LinkExpired>()("LinkExpired", {
  code: "link_expired",
  status: 410,
  message: "This link has expired. Ask the veteran for a new one."
}) {}

export const NewLink = Schema.Struct({
  documentId: Id,
  recipientName: Text(200),
  recipientEmail: EmailAddress,
  expiresInHours: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 720 }))),
  /** Whether the recipient is sent the link by mail, at once. */
  notifyRecipient: Schema.optional(Schema.Boolean)
}).annotate({ identifier: "NewSecureLink" })
type NewLink = typeof NewLink.Type

/** A link as its veteran sees it, with what became of it. */
export const SecureLink = Schema.Struct({
  id: Schema.String,
  /** Null: the document was deleted since. */
  documentId: Schema.NullOr(Schema.String),
  recipientName: Schema.String,
  recipientEmail: Schema.String,
  status: Schema.Literals(["active", "disabled", "expired"]),
  createdAt: Instant,
  expiresAt: Instant,
  disabledAt: Schema.NullOr(Instant),
  notifiedAt: Schema.NullOr(Instant),
  openedAt: Schema.NullOr(Instant),
  codeSentAt: Schema.NullOr(Instant),
  viewedAt: Schema.NullOr(Instant)
}).annotate({ identifier: "SecureLink" })
export type SecureLink = typeof SecureLink.Type

export const SecureLinkPage = PageOf(SecureLink)

export const CreatedLink = Schema.Struct({
  link: SecureLink,
  /** Holds the token, which is told here and never again. */
  url: Schema.String,
  /** The URL as a QR code, SVG (ISO/IEC 18004, error correction M). */
  qrSvg: Schema.String
}).annotate({ identifier: "CreatedSecureLink" })

export const OpenedLink = Schema.Struct({
  status: Schema.Literal("active"),
  /** Where a code would go, as far as it may be told: `j•••@example.org`. */
  recipientHint: Schema.String,
  expiresAt: Instant
}).annotate({ identifier: "OpenedSecureLink" })

/** Secure links: an opaque token that leads one designated recipient to one signed release. */
export class SecureLinks extends Context.Service<SecureLinks, {
  readonly create: (
    veteranId: string,
    link: NewLink
  ) => Effect.Effect<typeof CreatedLink.Type, NotFound | Conflict>
  readonly list: (veteranId: string, page: PageRequest) => Effect.Effect<typeof SecureLinkPage.Type, InvalidRequest>
  /** At once, and again without effect. */
  readonly revoke: (veteranId: string, id: string) => Effect.Effect<SecureLink, NotFound>
  readonly open: (
    token: string
  ) => Effect.Effect<typeof OpenedLink.Type, LinkNotFound | LinkDisabled | LinkExpired>
  /** What is stored of a token. */
  readonly tokenHash: (token: string) => Buffer
  readonly recipientOf: (link: RecipientPlace) => Effect.Effect<string>
}>()("vrss/SecureLinks") {
  static readonly layer = Layer.effect(
    SecureLinks,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const links = SecureLinkRepository.make(yield* LockingStatements)
      const mailer = yield* Mailer
      const paging = yield* Paging
      const { portalUrl } = yield* Settings
      const tokenHash = crypto.keyedHash("secure-link-token")

      const recipientOf = ({ linkId, recipientEmailCiphertext, veteranId }: RecipientPlace) =>
        crypto.open(emailPlace(veteranId, linkId), recipientEmailCiphertext).pipe(
          Effect.map((email) => email.toString()),
          Effect.orDie
        )

      const decode = Effect.fnUntraced(
        function*({ recipientEmailCiphertext, veteranId, ...link }: SecureLinkRepository.LinkRow) {
          const recipientEmail = yield* recipientOf({ veteranId, linkId: link.id, recipientEmailCiphertext })
          return { ...link, recipientEmail }
        }
      )

      const find = Effect.fnUntraced(function*(veteranId: string, id: string) {
        const row = yield* links.find(veteranId, id)
        return Option.isSome(row) ? yield* decode(row.value) : yield* new NotFound()
      })

      const create = Effect.fn("SecureLinks.create")(function*(veteranId: string, link: NewLink) {
        const { documentId, expiresInHours = 72, notifyRecipient = false, recipientEmail, recipientName } = link
        const token = randomBytes(32).toString("base64url")
        const id = newId()
        yield* Effect.gen(function*() {
          const document = yield* DocumentRepository.find(veteranId, documentId)
          if (document === undefined) return yield* new NotFound()
          if (document.releaseStatus !== "in_force") {
            return yield* new Conflict({ message: "Only a signed release that is in force can be shared by a link." })
          }
          yield* SecureLinkRepository.insert({
            ...{ id, veteranId, documentId, recipientName, tokenHash: tokenHash(token), hours: expiresInHours },
            recipientEmailCiphertext: crypto.seal(emailPlace(veteranId, id), Buffer.from(recipientEmail)),
            endsAt: document.endsAt!
          })
        }).pipe(actors.withActor({ kind: "veteran", veteranId }))
        const url = `${portalUrl}/link#${token}`
        // At once, because the token is kept nowhere; the answer's `notifiedAt` says whether it went.
        if (notifyRecipient) {
          yield* mailer.send(invitation(recipientEmail, url)).pipe(
            Effect.andThen(links.noteNotified(veteranId, id)),
            Effect.catchTag("MailNotSent", ({ message }) => Effect.logWarning(`secure link: ${message}`))
          )
        }
        return {
          link: yield* Effect.orDie(find(veteranId, id)),
          url,
          qrSvg: qrCode(url)
        }
      })

      const list = Effect.fn("SecureLinks.list")(function*(veteranId: string, request: PageRequest) {
        const page = yield* paging.byId(
          `secure-links|${veteranId}`,
          request,
          (query) => links.list({ ...query, veteranId })
        )
        return { ...page, items: yield* Effect.forEach(page.items, decode) }
      })

      const revoke = Effect.fn("SecureLinks.revoke")(function*(veteranId: string, id: string) {
        yield* links.disable(veteranId, id)
        return yield* find(veteranId, id)
      })

      const open = Effect.fn("SecureLinks.open")(function*(token: string) {
        const opened = yield* links.open(tokenHash(token))
        if (Option.isNone(opened)) return yield* new LinkNotFound()
        const { expiresAt, status, ...link } = opened.value
        if (status !== "active") return yield* ended(status)
        const [local, domain] = (yield* recipientOf(link)).split("@")
        return { status, recipientHint: `${local!.slice(0, 1)}•••@${domain}`, expiresAt }
      })

      return SecureLinks.of({ create, list, revoke, open, tokenHash, recipientOf })
    })
  )
}

interface RecipientPlace {
  readonly veteranId: string
  readonly linkId: string
  readonly recipientEmailCiphertext: Uint8Array
}

export const ended = (status: "disabled" | "expired") => status === "disabled" ? new LinkDisabled() : new LinkExpired()

/** With the quiet zone of four modules that readers need, and white where the screen is dark. */
const qrCode = (url: string) =>
  encodeQR(url, "svg", { ecc: "medium", border: 4 }).replace(
    ">",
    "><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
  )

const emailPlace = (veteranId: string, row: string) => ({
  table: "secure_links",
  column: "recipient_email_ciphertext",
  row,
  veteranId
})
