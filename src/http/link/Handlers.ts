import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { NotFound } from "../../domain/Errors.ts"
import { LinkView, type Viewed } from "../../services/link/LinkView.ts"
import { Otp } from "../../services/link/Otp.ts"
import { SecureLinks } from "../../services/link/SecureLinks.ts"
import { fileOf, type Manifest, SmartHealthLinks } from "../../services/link/SmartHealthLinks.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { releaseAnswer } from "../wire/FileAnswer.ts"
import { group, whole } from "../wire/Group.ts"
import { viewReceiver } from "./ViewReceiver.ts"

export const SecureLinksHandlers = group("secureLinks", function*(handlers) {
  const links = yield* SecureLinks
  const shl = yield* SmartHealthLinks
  return handlers.handleAll({
    list: forVeteran((veteranId, { query }) => links.list(veteranId, query)),
    create: forVeteran((veteranId, { payload }) => links.create(veteranId, payload)),
    revoke: whole(forVeteran((veteranId, { params }) => links.revoke(veteranId, params.linkId))),
    code: whole(forVeteran((veteranId, { params }) => shl.mailCode(veteranId, params.linkId)))
  })
})

export const LinkRecipientHandlers = group("linkRecipient", function*(handlers) {
  const links = yield* SecureLinks
  const otp = yield* Otp
  const view = yield* LinkView
  return handlers.handleAll({
    open: whole(({ payload }) => links.open(payload.token)),
    challenge: whole(({ payload }) => otp.challenge(payload.token)),
    verify: whole(({ payload }) => otp.verify(payload)),
    view: ({ payload, request }) =>
      Effect.map(view.view(payload.viewSession, payload.offset, viewReceiver(request)), releaseAnswer),
    status: ({ payload }) => Effect.as(view.mayShow(payload.viewSession), { status: "active" as const })
  })
})

export const SmartHealthLinksHandlers = group("smartHealthLinks", function*(handlers) {
  const shl = yield* SmartHealthLinks
  return handlers.handleAll({
    manifest: whole(({ params, payload, request }) =>
      Effect.map(shl.manifest(params.manifestId, payload, viewReceiver(request)), manifestAnswer)
    ),
    // The router takes HEAD for GET. This GET has an effect, so HEAD gets the answer for what is not there.
    file: ({ params, request }) =>
      request.method === "HEAD"
        ? Effect.fail(new NotFound())
        : Effect.map(shl.file(params.manifestId, params.ticket, viewReceiver(request)), joseAnswer)
  })
})

const manifestAnswer = (manifest: Manifest) =>
  "embedded" in manifest
    ? HttpServerResponse.stream(manifest.embedded.content, {
      contentType: "application/json",
      contentLength: manifest.embedded.byteSize
    })
    : HttpServerResponse.jsonUnsafe({
      files: [{ ...fileOf(manifest.lastUpdated), location: manifest.location }]
    })

const joseAnswer = ({ byteSize, content }: Viewed) =>
  HttpServerResponse.stream(content, { contentType: "application/jose", contentLength: byteSize })
