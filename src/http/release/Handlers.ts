import { Effect } from "effect"
import { DeviceSessions } from "../../services/account/session/DeviceSessions.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { ReleasePreviews } from "../../services/release/ReleasePreviews.ts"
import { Releases } from "../../services/release/Releases.ts"
import { Verification } from "../../services/release/Verification.ts"
import { CurrentVeteran, forVeteran } from "../contract/Authorization.ts"
import { exactAddress } from "../wire/ClientAddress.ts"
import { previewAnswer } from "../wire/FileAnswer.ts"
import { group, whole } from "../wire/Group.ts"

export const RoiHandlers = group("roi", function*(handlers) {
  const { preview } = yield* ReleasePreviews
  const releases = yield* Releases
  const sessions = yield* DeviceSessions
  const { trustedProxyHops } = yield* Settings
  return handlers
    // These two get an undecoded body: AuthorizationRules.ts decodes each member separately, to report all errors.
    .handleRaw(
      "sign",
      Effect.fnUntraced(function*({ request }) {
        const { session, tokenId, veteranId } = yield* CurrentVeteran
        // This cannot fail: QueryAndBody has already parsed the body, to measure the drawn signature.
        const body = yield* Effect.orDie(request.json)
        const confirmed = session.id === null ? {} : yield* sessions.confirmation(veteranId, session.id)
        return yield* releases.sign(veteranId, body, {
          ...confirmed,
          id: session.id ?? tokenId,
          clientAddress: exactAddress(request, trustedProxyHops),
          userAgent: request.headers["user-agent"]?.slice(0, 500) ?? "none"
        })
      })
    )
    .handleRaw(
      "preview",
      forVeteran(Effect.fnUntraced(function*(veteranId, { request }) {
        const body = yield* Effect.orDie(request.json)
        return previewAnswer(yield* preview(veteranId, body))
      }))
    )
    .handleAll({
      readiness: forVeteran(releases.readiness),
      revoke: whole(forVeteran((veteranId, { params }) => releases.revoke(veteranId, params.documentId)))
    })
})

export const ReleaseVerificationHandlers = group("releaseVerification", function*(handlers) {
  const { verify } = yield* Verification
  return handlers.handleAll({ verify: ({ payload }) => verify(payload) })
})
