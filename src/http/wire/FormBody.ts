import { Effect } from "effect"
import { type HttpServerRequest, UrlParams } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { isUtf8 } from "node:buffer"
import { InvalidRequest } from "../../domain/Errors.ts"

const mediaType = "application/x-www-form-urlencoded"

/** Whether the endpoint's payload is declared by `HttpApiSchema.asFormUrlEncoded`. */
export const takesForm = ({ payload }: HttpApiEndpoint.Top) => payload.has(mediaType)

/** Whether the endpoint takes FHIR's Parameters, or a form instead. Its handler parses the body. */
export const takesParameters = ({ payload }: HttpApiEndpoint.Top) => payload.has("application/fhir+json")

/** The charset of a form is always UTF-8 (URL standard, 5), whether or not it is named. */
export const isForm = (contentType: string | undefined) =>
  /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType?.trim() ?? "")

/** Limits every form; a search by URL has a limit of the same size (services/fhir/Search.ts). */
const maxParameters = 100

/**
 * Parses a form. A parameter without a value counts as omitted (RFC 6749, 3.2), unless its name is repeated, because
 * the schema must see repetitions to refuse them. Bytes that are not UTF-8 are refused, not replaced.
 */
export const parseForm = (bytes: Buffer): Effect.Effect<UrlParams.UrlParams, InvalidRequest> =>
  Effect.suspend(() => {
    const sent = isUtf8(bytes) ? bytes.toString().split("&").filter((pair) => pair !== "") : []
    if (sent.length > maxParameters) {
      return Effect.fail(InvalidRequest.at([], `Expected at most ${maxParameters} parameters`))
    }
    const pairs = isUtf8(bytes) ? pairsOf(sent) : undefined
    if (pairs === undefined) return Effect.fail(InvalidRequest.at([], "Expected a form in UTF-8"))
    const names = Map.groupBy(pairs, ([name]) => name)
    return Effect.succeed(UrlParams.make(pairs.filter(([name, value]) => value !== "" || names.get(name)!.length > 1)))
  })

/** Returns undefined if an escape is incomplete, or does not encode UTF-8. */
const pairsOf = (sent: ReadonlyArray<string>): ReadonlyArray<readonly [name: string, value: string]> | undefined => {
  try {
    return sent.map((pair) => {
      const [name = "", ...value] = pair.split("=")
      return [formDecoded(name), formDecoded(value.join("="))] as const
    })
  } catch {
    return undefined
  }
}

/** Throws a `URIError` if the text is not well encoded. */
export const formDecoded = (text: string) => decodeURIComponent(text.replaceAll("+", " "))

/** Returns the request with this form as its body, because the real body has been read already. */
export const withForm = (
  request: HttpServerRequest.HttpServerRequest,
  form: UrlParams.UrlParams
): HttpServerRequest.HttpServerRequest => Object.create(request, { urlParamsBody: { value: Effect.succeed(form) } })
