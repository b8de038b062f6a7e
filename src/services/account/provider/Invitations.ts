import { Context, Effect, Layer, Option } from "effect"
import { Conflict, type InvalidRequest, type NotFound, orNotFound } from "../../../domain/Errors.ts"
import type { ProviderId } from "../../../domain/Id.ts"
import type { PageRequest } from "../../../domain/Page.ts"
import type { DirectoryPage } from "../../../domain/Provider.ts"
import {
  type Invitation,
  type InvitationPage,
  liveInvitations,
  type MadeInvitation,
  type NewInvitation
} from "../../../domain/ProviderInvitation.ts"
import * as InvitationRepository from "../../../sql/account/InvitationRepository.ts"
import { SharedConnections } from "../../../sql/Connections.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { newId } from "../../platform/Ids.ts"
import { Paging } from "../../platform/Paging.ts"
import { qrCode } from "../../platform/QrCode.ts"
import { Settings } from "../../platform/Settings.ts"
import { newSpokenCode, readSpokenCode } from "../../platform/SpokenCode.ts"

/** 50 bits: at 60 tries in 15 minutes for each veteran, nobody finds a code by guessing. */
const codeLength = 10

/** Codes that a clinic's desk shows, so that veterans find the provider without typing an e-mail address. */
export class Invitations extends Context.Service<Invitations, {
  /** Tells the code, which is not kept. */
  readonly make: (
    providerId: ProviderId,
    invitation: typeof NewInvitation.Type
  ) => Effect.Effect<MadeInvitation, Conflict>
  readonly list: (
    providerId: ProviderId,
    page: PageRequest
  ) => Effect.Effect<typeof InvitationPage.Type, InvalidRequest>
  /** Takes effect immediately. Revoking again changes nothing. */
  readonly revoke: (providerId: ProviderId, id: string) => Effect.Effect<Invitation, NotFound>
  /** Finds the provider of a code, or nobody. Takes the code as a person types it. */
  readonly find: (code: string) => Effect.Effect<typeof DirectoryPage.Type>
}>()("vrss/services/account/provider/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function*() {
      const { keyedHash } = yield* Crypto
      const paging = yield* Paging
      const { veteranApp } = yield* Settings
      const invitations = InvitationRepository.make(yield* SharedConnections)
      const codeHash = keyedHash("provider-invitation")

      const make: Invitations["Service"]["make"] = Effect.fn("Invitations.make")(
        function*(providerId, { expiresInDays = 90 }) {
          const code = newSpokenCode(codeLength)
          const made = yield* invitations.insert({
            id: newId(),
            providerId,
            codeHash: codeHash(code),
            days: expiresInDays,
            most: liveInvitations
          })
          if (Option.isNone(made)) {
            return yield* new Conflict({
              message: `You have ${liveInvitations} codes in use, which is the most. Revoke one that is not needed.`
            })
          }
          const { expiresAt, id } = made.value
          const url = `${veteranApp.url}/#invite=${code}`
          return { id, code, url, qrSvg: qrCode(url), expiresAt }
        }
      )

      const revoke: Invitations["Service"]["revoke"] = Effect.fn("Invitations.revoke")((providerId, id) =>
        orNotFound(invitations.revoke(providerId, id))
      )

      return Invitations.of({
        make,
        revoke,
        list: (providerId, request) =>
          paging.byId(
            `provider-invitations|${providerId}`,
            request,
            (query) => invitations.list({ ...query, providerId })
          ),
        find: (code) =>
          Effect.map(
            invitations.find(codeHash(readSpokenCode(code))),
            (provider) => ({ items: Option.toArray(provider), nextCursor: null })
          )
      })
    })
  )
}
