import { Context, Effect, Layer, Option } from "effect"
import { Conflict, NotFound, orNotFound, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import type { LinkId, VeteranId } from "../../domain/Id.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { type LinkDisabled, type LinkExpired, linkLimits } from "../../domain/SecureLink.ts"
import { type ManifestRequest, PasscodeInvalid } from "../../domain/SmartHealthLink.ts"
import type { MailedCode } from "../../domain/VeteranLink.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import * as SmartHealthLinkRepository from "../../sql/link/SmartHealthLinkRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { newSecretIn, slotOf } from "../platform/Slot.ts"
import { EncryptedBundles } from "./EncryptedBundles.ts"
import { linkSecrets } from "./LinkSecrets.ts"
import { type Frame, LinkView, type Viewed } from "./LinkView.ts"
import { countCode, Otp } from "./Otp.ts"
import type { Receiver } from "./RunningTransfers.ts"
import { claimPlace } from "./SecureLinks.ts"
import { manifestUrl } from "./SmartHealthLink.ts"

type Refused = NotFound | PasscodeInvalid | SealBroken | ServiceUnavailable

/** The manifest holds the file, or the address where it can be had once. */
export type Manifest = { readonly embedded: Viewed } | { readonly location: string; readonly lastUpdated: Date }

/** Opens secure links for health apps, with the mailed code as passcode (HL7 SMART Health Links STU1, flag `P`). */
export class SmartHealthLinks extends Context.Service<SmartHealthLinks, {
  readonly manifest: (
    manifestId: string,
    request: ManifestRequest,
    receiver: Receiver
  ) => Effect.Effect<Manifest, Refused>
  readonly file: (
    manifestId: string,
    ticket: string,
    receiver: Receiver
  ) => Effect.Effect<Viewed, Exclude<Refused, PasscodeInvalid>>
  /** Mails a code when the veteran wants it, for an app that asks for it before it asks the service. */
  readonly mailCode: (
    veteranId: VeteranId,
    id: LinkId
  ) => Effect.Effect<
    typeof MailedCode.Type,
    Conflict | NotFound | LinkDisabled | LinkExpired | RateLimited | ServiceUnavailable
  >
}>()("vrss/services/link/SmartHealthLinks") {
  static readonly layer = Layer.effect(
    SmartHealthLinks,
    Effect.gen(function*() {
      const { removeEnded } = yield* EncryptedBundles
      const crypto = yield* Crypto
      const links = SmartHealthLinkRepository.make(yield* OwnConnections)
      const { share } = yield* LinkView
      const otp = yield* Otp
      const { publicUrl } = yield* Settings
      const { codeHash, manifestHash, sessionHash } = yield* linkSecrets

      /** The code is in the mail, or was: each opens the link once. */
      const withoutCode = Effect.fnUntraced(
        function*({ tokenHash, wrongCodes }: SmartHealthLinkRepository.PasscodeRow) {
          const message = yield* otp.mail(tokenHash).pipe(
            Effect.as(says.mailed),
            Effect.catchTag("RateLimited", ({ retryAfterSeconds }) => Effect.succeed(says.later(retryAfterSeconds))),
            Effect.catchTags({ LinkNotFound: unknown, LinkDisabled: unknown, LinkExpired: unknown })
          )
          return yield* refusal(wrongCodes, message)
        }
      )

      const manifest = Effect.fn("SmartHealthLinks.manifest")(function*(
        manifestId: string,
        { embeddedLengthMax = Infinity, passcode = "", recipient }: ManifestRequest,
        receiver: Receiver
      ): Effect.fn.Return<Manifest, Refused> {
        const shlHash = manifestHash(manifestId)
        const found = yield* links.passcodeState(shlHash)
        if (Option.isNone(found) || found.value.status !== "active") return yield* new NotFound()
        const { byteSize, challenge, createdAt, linkId, tokenHash: token, veteranId, wrongCodes } = found.value
        if (challenge === null) return yield* withoutCode(found.value)
        const digits = passcode.replace(/[\s-]/g, "")
        if (digits === "") return yield* refusal(wrongCodes, says.missing)

        const ticket = newSecretIn(slotOf(veteranId))
        const claimed = Array.from(recipient).slice(0, linkLimits.claimedRecipient).join("")
        const { status, wrongCodes: wrongNow } = yield* orNotFound(links.tryPasscode({
          token,
          challengeId: challenge,
          codeHash: codeHash(token, challenge, digits),
          sessionHash: sessionHash(ticket),
          claimed: crypto.seal(claimPlace(veteranId, linkId), Buffer.from(claimed))
        }))
        // Another request used or spoilt the code in the meantime.
        if (status === "none") return yield* withoutCode({ ...found.value, wrongCodes: wrongNow })
        if (status === "wrong") {
          countCode("wrong")
          if (wrongNow >= linkLimits.wrongCodesPerLink) yield* removeEnded
          return yield* refusal(wrongNow, wrongNow < linkLimits.wrongCodesPerLink ? says.wrong : says.last)
        }
        if (status !== "right") return yield* new NotFound()
        countCode("right")
        if (embeddedLengthMax < byteSize!) {
          return { location: `${manifestUrl(publicUrl, manifestId)}/files/${ticket}`, lastUpdated: createdAt }
        }
        return { embedded: yield* given(share(shlHash, ticket, receiver, frameOf(createdAt))) }
      })

      const mailCode = Effect.fn("SmartHealthLinks.mailCode")(function*(veteranId: VeteranId, id: LinkId) {
        const { smartHealthLink, tokenHash } = yield* orNotFound(links.tokenHashOf(veteranId, id))
        if (!smartHealthLink) return yield* new Conflict({ message: onlyApps })
        const { expiresIn, resendAfter } = yield* Effect.catchTag(
          otp.mail(tokenHash),
          "LinkNotFound",
          () => Effect.fail(new NotFound())
        )
        return { expiresIn, resendAfter }
      })

      return SmartHealthLinks.of({
        manifest,
        file: (manifestId, ticket, receiver) => given(share(manifestHash(manifestId), ticket, receiver)),
        mailCode
      })
    })
  )
}

const unknown = () => Effect.fail(new NotFound())

/** An app is told of no state but that there is nothing to be had. */
const given = (shared: ReturnType<LinkView["Service"]["share"]>) =>
  Effect.catchTags(shared, {
    InvalidRequest: unknown,
    LinkDisabled: unknown,
    LinkExpired: unknown,
    ViewSessionExpired: unknown,
    ViewSessionUsed: unknown
  })

const refusal = (wrongCodes: number, message: string) =>
  new PasscodeInvalid({ message, remainingAttempts: Math.max(0, linkLimits.wrongCodesPerLink - wrongCodes) })

const says = {
  mailed:
    "A new code is on its way to the recipient by mail. Ask again with it as passcode. Each code opens the link once.",
  missing: "A code was mailed to the recipient. Ask again with it as passcode.",
  wrong: "The code is wrong. Take it from the newest mail to the recipient.",
  last: "The code is wrong, and the link was disabled after too many wrong codes. Ask the veteran for a new link.",
  later: (seconds: number) =>
    seconds <= linkLimits.resendSeconds
      ? `A code is on its way to the recipient by mail. If it was used, ask again in ${seconds} seconds for a new one.`
      : `No more codes are mailed for now. Ask again in ${minutes(Math.ceil(seconds / 60))} for a new one.`
}

const minutes = (count: number) => count === 1 ? "a minute" : `${count} minutes`

const onlyApps =
  "Only a SMART Health Link takes a code this way: on the page of any other link, the recipient asks for it."

/** The manifest around the file, whose text needs no escapes. */
const frameOf = (lastUpdated: Date): Frame => {
  const manifest = JSON.stringify({ files: [{ ...fileOf(lastUpdated), embedded: "" }] })
  const at = manifest.length - "\"}]}".length
  return { before: Buffer.from(manifest.slice(0, at)), after: Buffer.from(manifest.slice(at)) }
}

export const fileOf = (lastUpdated: Date) => ({
  contentType: "application/fhir+json" as const,
  fhirVersion: "4.0.1" as const,
  status: "finalized" as const,
  lastUpdated: lastUpdated.toISOString()
})
