import { Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AppSession } from "../../domain/AppSession.ts"
import { NotFound } from "../../domain/Errors.ts"
import { NotAcceptable, TypeNotSupported } from "../../domain/FhirError.ts"
import { isFhirType } from "../../domain/FhirType.ts"
import { isKnown, type ReadResource } from "../../services/fhir/AppReading.ts"
import { AppRecord } from "../../services/fhir/AppRecord.ts"
import { brandsBundle } from "../../services/fhir/BrandsBundle.ts"
import { capabilityStatement } from "../../services/fhir/CapabilityStatement.ts"
import { isFhirId } from "../../services/fhir/FhirId.ts"
import { everythingOf, searchOf } from "../../services/fhir/Search.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { CurrentApp } from "../contract/Authorization.ts"
import { RequestBytes } from "../contract/RequestLimits.ts"
import { Answers } from "../wire/Answers.ts"
import { group } from "../wire/Group.ts"
import { jsonAnswer } from "../wire/JsonAnswer.ts"
import { takesJson } from "./Format.ts"
import { operationPairs } from "./OperationBody.ts"

type Request = HttpServerRequest.HttpServerRequest

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

const contentType = "application/fhir+json; charset=utf-8"

const queryOf = ({ url }: Request): Pairs => [...new URL(url, "http://localhost").searchParams]

const isStrict = ({ headers }: Request) =>
  /(^|[,;\s])handling\s*=\s*"?strict"?\s*([,;]|$)/i.test(headers["prefer"] ?? "")

const checkFormat = (request: Request, pairs: Pairs) =>
  takesJson(request, pairs.filter(([name]) => name === "_format").map(([, value]) => value))
    ? Effect.void
    : Effect.fail(new NotAcceptable())

const FhirMetadataHandlers = group("fhirMetadata", function*(handlers) {
  const { fhirBase, oauthIssuer } = yield* Settings
  const always = (resource: object) => {
    const answer = HttpServerResponse.uint8Array(Buffer.from(JSON.stringify(resource)), { contentType })
    return ({ request }: { readonly request: Request }) => Effect.as(checkFormat(request, queryOf(request)), answer)
  }
  return handlers.handleAll({
    metadata: always(capabilityStatement({ fhirBase, oauthIssuer, version: "0.1.0" })),
    brands: always(brandsBundle({ fhirBase }))
  })
})

/** The versions in `if-none-match`. A weak tag's mark `W/` is removed: tags are compared weakly (RFC 9110, 13.1.2). */
const knownOf = ({ headers }: Request) =>
  headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1")) ?? []

const resourceAnswer = (request: Request, { bytes, storedAt, version }: ReadResource) => {
  const all = { etag: `W/"${version}"`, ...storedAt !== undefined && { "last-modified": storedAt.toUTCString() } }
  return bytes === undefined || isKnown(version, knownOf(request))
    ? HttpServerResponse.empty({ status: 304, headers: all })
    : HttpServerResponse.uint8Array(bytes, { headers: all, contentType })
}

const FhirReadHandlers = group("fhir", function*(handlers) {
  const { fhirBase } = yield* Settings
  const { inTurn } = yield* Answers
  const record = yield* AppRecord

  const search = Effect.fnUntraced(function*(resourceType: string, request: Request, pairs: Pairs) {
    const app = yield* CurrentApp
    yield* checkFormat(request, pairs)
    if (!isFhirType(resourceType)) return yield* new TypeNotSupported()
    const search = yield* searchOf(resourceType, pairs, { fhirBase, strict: isStrict(request) })
    const answer = Effect.flatMap(
      record.search(app, resourceType, search),
      (bundle) => jsonAnswer(bundle, contentType)
    )
    return yield* inTurn(request, search.order === undefined ? "pages" : "sorted")(answer)
  })

  const everything = Effect.fnUntraced(function*(id: string, request: Request, pairs: Pairs) {
    const app: AppSession = yield* CurrentApp
    yield* checkFormat(request, pairs)
    const query = yield* everythingOf(pairs, isStrict(request))
    return yield* jsonAnswer(yield* record.everything(app, id, query), contentType)
  })

  return handlers
    .handleRaw(
      "searchForm",
      Effect.fnUntraced(function*({ params, request }) {
        const form = new URLSearchParams(Buffer.from(yield* RequestBytes).toString())
        return yield* search(params.resourceType, request, [...queryOf(request), ...form])
      })
    )
    .handleRaw(
      "everythingByBody",
      Effect.fnUntraced(function*({ params, request }) {
        const body = yield* operationPairs(request, yield* RequestBytes)
        return yield* everything(params.id, request, [...queryOf(request), ...body])
      })
    )
    .handleAll({
      search: ({ params, request }) => search(params.resourceType, request, queryOf(request)),
      read: Effect.fnUntraced(function*({ params: { id, resourceType }, request }) {
        const app = yield* CurrentApp
        yield* checkFormat(request, queryOf(request))
        if (!isFhirType(resourceType)) return yield* new TypeNotSupported()
        const resource = yield* record.read(app, resourceType, id, knownOf(request))
        const answer = (read: ReadResource) => resourceAnswer(request, read)
        return "large" in resource ? yield* inTurn(request)(Effect.map(resource.large, answer)) : answer(resource)
      }),
      // Neither an operation nor a type: a name that FHIR reserves, or an id that no patient has.
      compartment: ({ params: { id, resourceType }, request }) =>
        /^[$_]/.test(resourceType) || !isFhirId(id)
          ? Effect.fail(new NotFound())
          : search(resourceType, request, [["patient", id], ...queryOf(request)]),
      everything: ({ params, request }) => everything(params.id, request, queryOf(request))
    })
})

export const FhirHandlers = Layer.merge(FhirMetadataHandlers, FhirReadHandlers)
