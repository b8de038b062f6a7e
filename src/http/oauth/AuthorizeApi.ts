import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema, OpenApi } from "effect/http-api"
import { appRequestLimits, daysInWords } from "../../domain/AppRequest.ts"
import { guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, RateLimit, smallForm } from "../contract/RequestLimits.ts"

/** A person reads these answers, so refusals are pages too. */
export class AnsweredByPage extends HttpApiMiddleware.Service<AnsweredByPage>()("vrss/http/AnsweredByPage") {}

const limit = { permits: 60, seconds: 900 }

const page = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

const refusal = (status: number, description: string) =>
  page.annotate({ description }).pipe(HttpApiSchema.status(status))

const foreign = refusal(403, "Another browser began the request, or the form is not from our pages.")

const back = HttpApiSchema.Empty(303).annotate({ description: "Back to the app" })

const onward = HttpApiSchema.Empty(303).annotate({ description: "To the page of the next step, or back to the app" })

/** The list accepts repeated parameters, because only the service can report them to the app (RFC 6749, 4.1.2.1). */
const parameter = (description: string) => Schema.optional(Schema.Array(Schema.String)).annotate({ description })

const authorization = {
  response_type: parameter("`code`"),
  client_id: parameter("The app's id"),
  redirect_uri: parameter("One of the app's addresses, character for character"),
  scope: parameter("SMART scopes, divided by single spaces"),
  state: parameter("1 to 1,000 printable ASCII characters, which come back with the answer"),
  code_challenge: parameter("SHA-256 of the code verifier in base64url (RFC 7636)"),
  code_challenge_method: parameter("`S256`"),
  aud: parameter("The FHIR base, if it is sent"),
  resource: parameter("The FHIR base, if it is sent (RFC 8707)")
}

const form = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).pipe(HttpApiSchema.asFormUrlEncoded())

const request = parameter("The request, out of the page")

export class AuthorizeApi extends HttpApiGroup.make("authorize")
  .add(
    HttpApiEndpoint.get("ask", "/", { query: authorization, success: [page, back] })
      .annotateMerge(told(
        "Ask a veteran for access",
        "The app sends the browser here. A page asks for the veteran's e-mail address. A wrong request goes back to the app " +
          "with `error`, or ends here if the client or its address is unknown."
      )),
    HttpApiEndpoint.post("askByForm", "/", { payload: form(authorization), success: [page, onward] })
      .annotateMerge(told(
        "Ask a veteran for access, by a form",
        "As above, but the answer leads to the page, so that a reload does not send the form again."
      ))
      .annotate(BodyLimit, smallForm),
    HttpApiEndpoint.get("show", "/page", {
      query: {
        request,
        step: parameter("`email`, `code` or `consent`"),
        language: parameter("`en` or `es`, if the reader chooses one")
      },
      success: page,
      error: [
        foreign,
        refusal(400, "The page tells why a form was not accepted."),
        refusal(409, "The page tells that no more grants are possible."),
        refusal(429, "The page tells that no more codes are sent just now.")
      ]
    })
      .annotateMerge(told(
        "Show the page of a step",
        "Every form leads here. The page changes nothing, so a browser may go back to it or load it again."
      ))
      .annotate(RateLimit, { ...limit, permits: 4 * limit.permits }),
    HttpApiEndpoint.post("email", "/email", {
      payload: form({
        request,
        email: parameter("The veteran's e-mail address; or an identity assertion whose `aud` is the request"),
        identityAssertion: parameter("Instead of the address")
      }),
      success: onward,
      error: foreign
    })
      .annotate(OpenApi.Summary, "Say whose records they are")
      .annotate(BodyLimit, smallForm),
    HttpApiEndpoint.post("code", "/code", {
      payload: form({ request, code: parameter(`The ${appRequestLimits.codeDigits} digits that were mailed`) }),
      success: onward,
      error: foreign
    })
      .annotate(OpenApi.Summary, "Enter the code")
      .annotate(BodyLimit, smallForm),
    HttpApiEndpoint.post("decision", "/decision", {
      payload: form({
        request,
        decision: parameter("`approve` or `deny`; or `en` or `es`, which switches the language and decides nothing"),
        type: Schema.optional(Schema.Array(Schema.String)).annotate({
          description: "The types of each box that stays ticked, divided by dots"
        }),
        category: Schema.optional(Schema.Array(Schema.String)).annotate({
          description: "Each category that is ticked"
        }),
        days: parameter(`${daysInWords}; only with \`offline_access\``)
      }),
      success: onward,
      error: foreign
    })
      .annotate(OpenApi.Summary, "Allow, or not")
      .annotate(BodyLimit, smallForm)
  )
  .prefix("/api/oauth/authorize")
  .annotateEndpoints(RateLimit, limit)
  // Unknown parameters are ignored (RFC 6749, 3.1).
  .annotateEndpoints(HttpApi.QueryParseOptions, { onExcessProperty: "ignore" })
  .annotateEndpoints(HttpApi.PayloadParseOptions, { onExcessProperty: "ignore" })
  .pipe(guardedBy(AddressRateLimit))
  .middleware(AnsweredByPage)
  .annotate(OpenApi.Title, "Apps: authorization")
  .annotate(OpenApi.Description, "The pages on which a veteran lets an app read (OAuth 2.1, SMART App Launch).")
{}
