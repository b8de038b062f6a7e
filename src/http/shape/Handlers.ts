import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Settings } from "../../services/platform/Settings.ts"
import { ConsentShapes } from "../../services/shape/ConsentShapes.ts"
import { DisclosureShapes } from "../../services/shape/DisclosureShapes.ts"
import { SharedBundles } from "../../services/shape/SharedBundles.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { withCursor } from "../ledger/DisclosureCsv.ts"
import { bundleAnswer } from "../wire/FileAnswer.ts"
import { group } from "../wire/Group.ts"

export const ShapesHandlers = group("shapes", function*(handlers) {
  const consents = yield* ConsentShapes
  const disclosures = yield* DisclosureShapes
  const releases = yield* SharedBundles
  const { publicUrl } = yield* Settings
  return handlers.handleAll({
    release: forVeteran((veteranId, { params }) =>
      Effect.map(releases.exported(veteranId, params.documentId), bundleAnswer)
    ),
    grant: forVeteran((veteranId, { params }) =>
      Effect.map(consents.exported(veteranId, params.grantId), (consent) => fhirAnswer(consent))
    ),
    disclosures: forVeteran((veteranId, { query, request }) => {
      const next = (cursor: string) => `${publicUrl}${withCursor(request.url, cursor)}`
      return Effect.map(
        disclosures.exported(veteranId, query, next),
        ({ bundle, nextCursor }) =>
          fhirAnswer(
            bundle,
            nextCursor === null ? {} : {
              link: `<${withCursor(request.url, nextCursor)}>; rel="next"`
            }
          )
      )
    })
  })
})

const fhirAnswer = (resource: object, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify(resource), { contentType: "application/fhir+json", headers })
