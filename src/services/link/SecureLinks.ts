import { Context, Effect, Layer, Option } from "effect"
import type { DeletionPending } from "../../domain/Deletion.ts"
import type { StorageFull } from "../../domain/Document.ts"
import {
  Conflict,
  type InvalidRequest,
  NotFound,
  orNotFound,
  type SealBroken,
  type ServiceUnavailable
} from "../../domain/Errors.ts"
import type { DocumentId, LinkId, VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { recipientHint } from "../../domain/RecipientHint.ts"
import {
  invitations,
  LinkDisabled,
  LinkExpired,
  linkLimits,
  LinkNotFound,
  linksMade,
  newRecipients,
  type OpenedLink
} from "../../domain/SecureLink.ts"
import type { CreatedLink, NewLink, SecureLink, SecureLinkPage } from "../../domain/VeteranLink.ts"
import { Actors, ActorTransaction } from "../../sql/Actor.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import * as SharingTurn from "../../sql/consent/SharingTurn.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import * as SecureLinkRepository from "../../sql/link/SecureLinkRepository.ts"
import * as SmartHealthLinkRepository from "../../sql/link/SmartHealthLinkRepository.ts"
import { FileStore } from "../document/FileStore.ts"
import { invitation } from "../mail/LinkMails.ts"
import { Mailer } from "../mail/Mailer.ts"
import { Crypto, newSecret } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"
import { qrCode } from "../platform/QrCode.ts"
import { RateLimits } from "../platform/RateLimits.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import { newSecretIn, slotOf } from "../platform/Slot.ts"
import type { SignedAuthorization } from "../release/SignedAuthorization.ts"
import { EncryptedBundles } from "./EncryptedBundles.ts"
import { linkSecrets } from "./LinkSecrets.ts"
import { derivedFrom, shlinkOf } from "./SmartHealthLink.ts"

/** Keeps secure links. A link is an opaque token that leads one designated recipient to one signed release. */
export class SecureLinks extends Context.Service<SecureLinks, {
  readonly create: (
    veteranId: VeteranId,
    link: NewLink
  ) => Effect.Effect<
    typeof CreatedLink.Type,
    NotFound | Conflict | DeletionPending | RateLimited | SealBroken | ServiceUnavailable | StorageFull
  >
  readonly list: (veteranId: VeteranId, page: PageRequest) => Effect.Effect<typeof SecureLinkPage.Type, InvalidRequest>
  /** Takes effect immediately. Revoking again changes nothing. */
  readonly revoke: (veteranId: VeteranId, id: LinkId) => Effect.Effect<SecureLink, NotFound>
  readonly open: (
    token: string
  ) => Effect.Effect<typeof OpenedLink.Type, LinkNotFound | LinkDisabled | LinkExpired>
  readonly recipientOf: (link: RecipientPlace) => Effect.Effect<string>
}>()("vrss/services/link/SecureLinks") {
  static readonly layer = Layer.effect(
    SecureLinks,
    Effect.gen(function*() {
      const actors = yield* Actors
      const bundles = yield* EncryptedBundles
      const crypto = yield* Crypto
      const files = yield* FileStore
      const limits = yield* RateLimits
      const links = SecureLinkRepository.make(yield* OwnConnections)
      const mailer = yield* Mailer
      const paging = yield* Paging
      const { portalUrl, publicUrl } = yield* Settings
      const { manifestHash, recipientHash, tokenHash } = yield* linkSecrets

      const recipientOf = ({ linkId, recipientEmailCiphertext, veteranId }: RecipientPlace) =>
        crypto.openText(emailPlace(veteranId, linkId), recipientEmailCiphertext)

      const decode = Effect.fnUntraced(
        function*(
          { claimedRecipientCiphertext, recipientEmailCiphertext, veteranId, ...link }: SecureLinkRepository.LinkRow
        ) {
          const recipientEmail = yield* recipientOf({ veteranId, linkId: link.id, recipientEmailCiphertext })
          const claimedRecipient = claimedRecipientCiphertext === null
            ? null
            : yield* crypto.openText(claimPlace(veteranId, link.id), claimedRecipientCiphertext)
          return { ...link, recipientEmail, claimedRecipient }
        }
      )

      /** The address that section C of a release names. */
      const namedEmail = Effect.fnUntraced(function*(veteranId: VeteranId, documentId: DocumentId) {
        const sealed = yield* DocumentRepository.findAuthorization(veteranId, documentId)
        const place = placeOf("documents", "authorization_ciphertext", veteranId, documentId)
        return (JSON.parse(yield* crypto.openText(place, Option.getOrThrow(sealed))) as SignedAuthorization).recipient
          .email
      })

      const find = Effect.fnUntraced(function*(veteranId: VeteranId, id: LinkId) {
        return yield* decode(yield* orNotFound(links.find(veteranId, id)))
      })

      /** One veteran alone cannot use up the invitations that all veterans together may send to an address. */
      const count = Effect.fnUntraced(
        function*(veteranId: VeteranId, address: string, of: { readonly isNew: boolean; readonly isMailed: boolean }) {
          const sql = yield* ActorTransaction
          yield* limits.count(sql, "links made", veteranId, linksMade)
          if (of.isNew) yield* limits.count(sql, "new recipients of links", veteranId, newRecipients)
          if (!of.isMailed) return
          yield* limits.count(sql, "invitations of a veteran", veteranId, invitations.toAll)
          yield* limits.count(sql, "invitation by a veteran", `${veteranId} ${address}`, invitations.byVeteran)
          yield* limits.count(sql, "invitation", address, invitations.byAll)
        }
      )

      const shareable = Effect.fnUntraced(function*(veteranId: VeteranId, documentId: DocumentId) {
        const document = yield* DocumentRepository.find(veteranId, documentId)
        if (document === undefined) return yield* new NotFound()
        if (document.releaseStatus !== "in_force") {
          return yield* new Conflict({ message: "Only a signed release that is in force can be shared by a link." })
        }
        return document
      })

      /** Encrypts the release for health apps under a new key, which is told once and stored nowhere. */
      const encrypted = Effect.fnUntraced(function*(veteranId: VeteranId, id: LinkId, documentId: DocumentId) {
        yield* actors.asVeteran(veteranId)(shareable(veteranId, documentId))
        const key = newSecret()
        const { byteSize, fileKey, sha256, storageKey } = yield* bundles.write({ veteranId, documentId, key })
        const columns = {
          shlHash: manifestHash(derivedFrom(key).manifestId),
          shlStorageKey: storageKey,
          shlFileKey: crypto.seal(placeOf("secure_links", "shl_file_key", veteranId, id), fileKey),
          shlByteSize: byteSize,
          shlSha256: sha256
        }
        return { key, columns }
      })

      const create = Effect.fn("SecureLinks.create")(function*(veteranId: VeteranId, link: NewLink) {
        const { documentId, expiresInHours = 72, notifyRecipient = false, recipientEmail, recipientName } = link
        const address = recipientEmail.toLowerCase()
        const recipient = recipientHash(veteranId, address)
        const id: LinkId = newId()
        const shl = link.smartHealthLink === true ? yield* encrypted(veteranId, id, documentId) : undefined
        const token = shl === undefined ? newSecretIn(slotOf(veteranId)) : derivedFrom(shl.key).token
        const named = yield* Effect.gen(function*() {
          yield* SharingTurn.take(veteranId)
          const { endsAt } = yield* shareable(veteranId, documentId)
          if (shl !== undefined) {
            if ((yield* SmartHealthLinkRepository.countBundles(veteranId)) >= linkLimits.sharedBundles) {
              return yield* new Conflict({ message: tooManyBundles })
            }
            yield* StoredFileRepository.claim(veteranId, [shl.columns.shlStorageKey])
          }
          const isNew = !(yield* SecureLinkRepository.isKnown(veteranId, recipient))
          yield* SecureLinkRepository.insert({
            id,
            veteranId,
            documentId,
            recipientName,
            tokenHash: tokenHash(token),
            hours: expiresInHours,
            recipientEmailCiphertext: crypto.seal(emailPlace(veteranId, id), Buffer.from(recipientEmail)),
            recipientHash: recipient,
            endsAt: endsAt!,
            shl: shl?.columns
          })
          const named = yield* namedEmail(veteranId, documentId)
          yield* count(veteranId, address, { isNew, isMailed: notifyRecipient })
          return named
        }).pipe(
          actors.withWaitingActor({ kind: "veteran", veteranId }),
          // After any other failure it is unknown whether the row exists. A sweep removes the file if it does not.
          Effect.tapError(() => shl === undefined ? Effect.void : files.remove([shl.columns.shlStorageKey]))
        )
        const { expiresAt } = yield* Effect.orDie(find(veteranId, id))
        const shlink = shl && shlinkOf({ key: shl.key, publicUrl, expiresAt })
        const url = `${portalUrl}/link#${shlink ?? token}`
        // The mail is not queued: it contains the token, which is not stored. `notifiedAt` shows that it was sent.
        if (notifyRecipient) {
          const letter = invitation({ name: recipientName, email: recipientEmail }, { url, until: expiresAt })
          yield* mailer.send(letter, { line: "others", account: veteranId })
            .pipe(
              Effect.andThen(links.noteNotified(veteranId, id)),
              Effect.catchTag("MailNotSent", ({ message }) => Effect.logWarning(`secure link: ${message}`))
            )
        }
        return {
          link: yield* Effect.orDie(find(veteranId, id)),
          url,
          ...shlink !== undefined && { shlink },
          qrSvg: qrCode(url),
          warnings: named.toLowerCase() === address ? [] : [recipientDiffers]
        }
      })

      const list = Effect.fn("SecureLinks.list")(function*(veteranId: VeteranId, request: PageRequest) {
        const page = yield* paging.byId(
          `secure-links|${veteranId}`,
          request,
          (query) => actors.asVeteran(veteranId)(SecureLinkRepository.list({ ...query, veteranId }))
        )
        return { ...page, items: yield* Effect.forEach(page.items, decode) }
      })

      const revoke = Effect.fn("SecureLinks.revoke")(function*(veteranId: VeteranId, id: LinkId) {
        const row = yield* Effect.andThen(
          SecureLinkRepository.disable(veteranId, id),
          SecureLinkRepository.findOwn(veteranId, id)
        ).pipe(actors.asVeteran(veteranId))
        yield* bundles.removeEnded
        return Option.isSome(row) ? yield* decode(row.value) : yield* new NotFound()
      })

      const open = Effect.fn("SecureLinks.open")(function*(token: string) {
        const opened = yield* links.open(tokenHash(token))
        if (Option.isNone(opened)) return yield* new LinkNotFound()
        const { expiresAt, status, ...link } = opened.value
        if (status !== "active") return yield* linkEnded(status)
        return { status, recipientHint: recipientHint(yield* recipientOf(link)), expiresAt }
      })

      return SecureLinks.of({ create, list, revoke, open, recipientOf })
    })
  )
}

/** The veteran chooses who gets a link, so this refuses nothing. */
const recipientDiffers = {
  code: "recipient_differs",
  message: "The release names another recipient address than this link. Check to whom the link goes."
} as const

const tooManyBundles =
  `At most ${linkLimits.sharedBundles} links for health apps are kept: revoke one that is not needed.`

interface RecipientPlace {
  readonly veteranId: VeteranId
  readonly linkId: LinkId
  readonly recipientEmailCiphertext: Uint8Array
}

export const linkEnded = (status: "disabled" | "expired") =>
  status === "disabled" ? new LinkDisabled() : new LinkExpired()

const emailPlace = (veteranId: VeteranId, id: LinkId) =>
  placeOf("secure_links", "recipient_email_ciphertext", veteranId, id)

export const claimPlace = (veteranId: VeteranId, id: LinkId) =>
  placeOf("secure_links", "claimed_recipient_ciphertext", veteranId, id)
