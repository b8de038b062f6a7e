import { Effect } from "effect"
import { type HttpServerRequest, UrlParams } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { isUtf8 } from "node:buffer"
import { InvalidRequest } from "../../domain/Errors.ts"

const mediaType = "application/x-www-form-urlencoded"

/** True for an endpoint whose payload is declared by `HttpApiSchema.asFormUrlEncoded`. */
export const takesForm = ({ payload }: HttpApiEndpoint.Top) => payload.has(mediaType)

/** The charset of a form is always UTF-8 (URL standard, 5), whether or not it is named. */
export const isForm = (contentType: string | undefined) =>
  /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType?.trim() ?? "")

/** No form has more parameters; a search has no more either (services/fhir/Search.ts). */
const maxParameters = 100

/**
 * Answers the parameters of a form. One without a value is as if it were left out (RFC 6749, 3.2), unless its name comes again: what
 * is repeated stays so, and the schema refuses it where it takes one text. Bytes that are no UTF-8 are refused, not replaced.
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

/** Undefined: an escape is cut, or what it stands for is no UTF-8. */
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

/** Throws a `URIError` where it is not well encoded. */
export const formDecoded = (text: string) => decodeURIComponent(text.replaceAll("+", " "))

/** The request stays the same, but for its form, which has been read already. */
export const withForm = (
  request: HttpServerRequest.HttpServerRequest,
  form: UrlParams.UrlParams
): HttpServerRequest.HttpServerRequest => Object.create(request, { urlParamsBody: { value: Effect.succeed(form) } })
